/** The median of the values. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** How far apart the medians of two random halves of the values are at most, in this many tries. */
export function spreadOfSplits(values: readonly number[], tries: number): number {
  let widest = 0;
  for (let turn = 0; turn < tries; turn += 1) {
    const halves: [number[], number[]] = [[], []];
    for (const value of values) halves[Math.random() < 0.5 ? 0 : 1].push(value);
    widest = Math.max(widest, Math.abs(median(halves[0]) - median(halves[1])));
  }
  return widest;
}

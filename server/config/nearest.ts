/**
 * The one of `names` that is likely to be meant by `name`: at most one letter is wrong, missing, too many or exchanged with the
 * next one, or two of twelve, or three of fifteen. Undefined if there is none.
 */
export function nearest(name: string, names: readonly string[]): string | undefined {
  const near = names
    .map((each) => ({ each, wrong: distance(name, each) }))
    .filter(({ each, wrong }) => wrong <= (each.length < 12 ? 1 : each.length < 15 ? 2 : 3))
    .toSorted((one, other) => one.wrong - other.wrong);
  return near[0]?.each;
}

/** How many letters have to be changed, added, removed or exchanged with their neighbour (optimal string alignment). */
function distance(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const changed = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1);
      const exchanged = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1] ? (before[j - 2] ?? 0) + 1 : Infinity;
      next.push(Math.min(changed, exchanged, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    [before, row] = [row, next];
  }
  return row.at(-1) ?? 0;
}

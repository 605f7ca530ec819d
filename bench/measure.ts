/** One side of a comparison: works for this many milliseconds and returns the rate that it reached. */
export type Contender = (milliseconds: number) => Promise<number>;

export type Effort = { readonly rounds: number; readonly milliseconds: number };

export type Ratio = { readonly median: number; readonly lowest: number; readonly highest: number };

/** A line of the report. */
export type Result = {
  readonly section: string;
  readonly name: string;
  readonly ratio: Ratio;
  readonly target: { readonly atLeast: number } | { readonly atMost: number } | null;
  /** The absolute figures behind the ratio, which apply only to this machine. */
  readonly figures: string;
};

/** Measures the rates of each contender, round by round. The contenders take turns, so that a noisy machine is noisy for all. */
export async function alternate<Name extends string>(
  contenders: Readonly<Record<Name, Contender>>,
  { rounds, milliseconds }: Effort,
): Promise<Record<Name, number[]>> {
  const names = Object.keys(contenders) as Name[];
  const rates = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<Name, number[]>;
  for (const name of names) await contenders[name](milliseconds);
  for (let round = 0; round < rounds; round += 1) {
    for (const name of names) rates[name].push(await contenders[name](milliseconds));
  }
  return rates;
}

/** The rates of one side divided by those of the other, each within its round. */
export function ratioOf(rates: readonly number[], base: readonly number[]): Ratio {
  const ratios = rates.map((rate, round) => rate / (base[round] ?? rate));
  return { median: median(ratios), lowest: Math.min(...ratios), highest: Math.max(...ratios) };
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;
}

export function isMet({ target, ratio }: Result): boolean {
  if (target === null) return true;
  return 'atLeast' in target ? ratio.median >= target.atLeast : ratio.median <= target.atMost;
}

/** Formats the results as a table. */
export function table(results: readonly Result[]): string {
  const header = ['', 'ratio', 'lowest…highest', 'target', '', 'median figures of this machine'];
  const rows = results.map((result) => {
    const { name, ratio, target, figures } = result;
    const wanted = target === null ? '–' : 'atLeast' in target ? `≥ ${target.atLeast}` : `≤ ${target.atMost}`;
    const verdict = target === null ? '' : isMet(result) ? 'met' : 'MISSED';
    return [name, ratio.median.toFixed(3), `${ratio.lowest.toFixed(3)}…${ratio.highest.toFixed(3)}`, wanted, verdict, figures];
  });
  const widths = header.map((_, column) => Math.max(...[header, ...rows].map((row) => row[column]?.length ?? 0)));
  return [header, ...rows]
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

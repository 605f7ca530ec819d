import { expect } from '@jest/globals';

/** One figure beside its goal. A measure without a goal is only told. */
export type Measure = { readonly what: string; readonly today: number; readonly atMost?: number | undefined; readonly unit: string };

/** Prints every figure beside its goal, and fails where one is missed, with all that are. */
export function report(title: string, measures: readonly Measure[]): void {
  const width = Math.max(...measures.map(({ what }) => what.length));
  const lines = measures.map((measure) => {
    const { what, today, atMost, unit } = measure;
    const goal = atMost === undefined ? '' : `  goal ≤ ${atMost} ${unit}`;
    return `${atMost === undefined ? '    ' : isMet(measure) ? 'ok  ' : 'MISS'} ${what.padEnd(width)} ${format(today)} ${unit}${goal}`;
  });
  process.stdout.write(`\n${title}\n${lines.join('\n')}\n`);
  expect(measures.filter((measure) => !isMet(measure)).map(({ what, today }) => `${what}: ${format(today)}`)).toEqual([]);
}

function isMet({ today, atMost }: Measure): boolean {
  return atMost === undefined || today <= atMost;
}

function format(figure: number): string {
  return Number.isInteger(figure) ? String(figure) : figure.toFixed(figure < 1 ? 3 : 1);
}

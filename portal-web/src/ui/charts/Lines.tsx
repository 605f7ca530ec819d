import { useMemo } from 'react';
import { Plot } from './Plot.tsx';

/** One line. `colour` is a custom property of the style sheet; where a value is null, the line is interrupted. */
export type Line = { readonly colour: string; readonly values: readonly (number | null)[] };

export type LinesProps = {
  lines: readonly Line[];
  /** The end of the scale. */
  end: number;
  /** The text for a place while the mouse points at it. */
  words: (place: number) => string;
};

/** The lines of a chart. Each value also has a point, so that one between two gaps can be seen. */
export default function Lines({ lines, end, words }: LinesProps) {
  const data = useMemo<[number[], ...(number | null)[][]]>(
    () => [lines[0]?.values.map((_, place) => place) ?? [], ...lines.map(({ values }) => [...values])],
    [lines],
  );
  const series = lines.map(({ colour }) => ({ colour, filled: false, width: 2, points: { show: true, size: 5 } }));
  return <Plot {...{ data, end, words, series }} />;
}

import { useMemo } from 'react';
import uPlot from 'uplot';
import { Plot } from './Plot.tsx';

/** One layer of the bars. `colour` is a custom property of the style sheet, such as "--failed". */
export type Layer = { readonly colour: string; readonly values: readonly number[] };

export type StackedBarsProps = {
  /** The layers from the bottom to the top, each with a value for every bar. */
  layers: readonly Layer[];
  /** The end of the scale. */
  end: number;
  /** The text for a bar while the mouse points at it. */
  words: (bar: number) => string;
};

/** The bars of a chart. */
export default function StackedBars({ layers, end, words }: StackedBarsProps) {
  const data = useMemo(() => dataOf(layers), [layers]);
  const paths = uPlot.paths.bars?.({ size: [0.8, 100] });
  const bar = { width: 0, points: { show: false }, filled: true, ...(paths && { paths }) };
  // The whole bar is painted first in the colour of its top layer, and the layers below are painted over it.
  return <Plot {...{ data, end, words }} series={layers.toReversed().map(({ colour }) => ({ ...bar, colour }))} />;
}

/** The index of each bar, followed by its height with all layers, without the top layer, and so on down to the lowest layer alone. */
function dataOf(layers: readonly Layer[]): uPlot.AlignedData {
  const heights: number[][] = [];
  for (const { values } of layers) heights.unshift(values.map((value, bar) => value + (heights[0]?.[bar] ?? 0)));
  return [layers[0]?.values.map((_, bar) => bar) ?? [], ...heights];
}

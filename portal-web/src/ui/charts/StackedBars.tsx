import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import classes from './StackedBars.module.css';

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

/**
 * The bars of a chart and the lines behind them. They are only a picture: the component that shows it must give it a name, and the figures
 * as text.
 */
export default function StackedBars(props: StackedBarsProps) {
  const scheme = useComputedColorScheme();
  // A canvas keeps the colours that it was painted with, and a plot keeps its number of bars, so either change needs a new plot.
  return <Plot key={`${scheme} ${props.layers[0]?.values.length}`} {...props} />;
}

function Plot(props: StackedBarsProps) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const shown = useRef(props);

  useEffect(() => {
    const box = frame.current;
    if (!box) return;
    const made = new uPlot(optionsOf(shown, box), dataOf(shown.current.layers), box);
    plot.current = made;
    const watch = new ResizeObserver(() => made.setSize(sizeOf(box)));
    watch.observe(box);
    return () => {
      watch.disconnect();
      made.destroy();
    };
  }, []);

  useEffect(() => {
    shown.current = props;
    plot.current?.setData(dataOf(props.layers));
  }, [props]);

  return <div ref={frame} className={classes.frame} />;
}

function optionsOf(shown: { readonly current: StackedBarsProps }, box: HTMLElement): uPlot.Options {
  const { layers } = shown.current;
  const paths = uPlot.paths.bars?.({ size: [0.8, 100] });
  const bar = { width: 0, points: { show: false }, ...(paths && { paths }) };
  return {
    ...sizeOf(box),
    legend: { show: false },
    padding: [0, 0, 0, 0],
    scales: { x: { time: false, range: (_, first, last) => [first - 0.5, last + 0.5] }, y: { range: () => [0, shown.current.end] } },
    axes: [{ show: false }, linesOf(shown, box)],
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    // The whole bar is painted first in the colour of its top layer, and the layers below are painted over it.
    series: [{}, ...layers.toReversed().map(({ colour }) => ({ ...bar, fill: colourOf(box, colour) }))],
    hooks: {
      setCursor: [
        ({ cursor: { idx }, over }) => {
          over.title = typeof idx === 'number' ? shown.current.words(idx) : '';
        },
      ],
    },
  };
}

/** Lines at the beginning, middle and end of the scale. Their figures are shown beside the picture, as text. */
function linesOf(shown: { readonly current: StackedBarsProps }, box: HTMLElement): uPlot.Axis {
  return {
    size: 0,
    ticks: { show: false },
    grid: { stroke: colourOf(box, '--svc-line'), width: 1 },
    splits: () => [0, shown.current.end / 2, shown.current.end],
    values: () => [],
  };
}

/** The index of each bar, followed by its height with all layers, without the top layer, and so on down to the lowest layer alone. */
function dataOf(layers: readonly Layer[]): uPlot.AlignedData {
  const heights: number[][] = [];
  for (const { values } of layers) heights.unshift(values.map((value, bar) => value + (heights[0]?.[bar] ?? 0)));
  return [layers[0]?.values.map((_, bar) => bar) ?? [], ...heights];
}

function sizeOf({ clientWidth, clientHeight }: HTMLElement) {
  return { width: clientWidth, height: clientHeight };
}

/**
 * The value of a custom property as a colour that a canvas understands. The browser only resolves it in a real property such as `color`.
 */
function colourOf(box: HTMLElement, property: string): string {
  const probe = document.createElement('span');
  probe.style.color = `var(${property})`;
  box.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}

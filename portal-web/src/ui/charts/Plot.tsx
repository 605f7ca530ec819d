import { useComputedColorScheme } from '@mantine/core';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import classes from './Plot.module.css';

type PlotProps = {
  /** A column for each series, after the one of the places on the horizontal scale. */
  data: uPlot.AlignedData;
  /** The end of the vertical scale, which begins at 0. */
  end: number;
  /** What is drawn from each column after the first. `colour` is a custom property of the style sheet, such as "--failed". */
  series: readonly (uPlot.Series & { readonly colour: string; readonly filled: boolean })[];
  /** The text for a place while the mouse points at it. */
  words: (place: number) => string;
};

/**
 * A canvas with the lines behind it. It is only a picture: the component that shows it must give it a name, and the figures as text. It
 * follows the width that it has and the colour scheme.
 */
export function Plot(props: PlotProps) {
  const scheme = useComputedColorScheme();
  // A canvas keeps the colours that it was painted with, and a plot keeps its number of places, so either change needs a new plot.
  return <Canvas key={`${scheme} ${props.data[0].length}`} {...props} />;
}

function Canvas(props: PlotProps) {
  const frame = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const shown = useRef(props);

  useEffect(() => {
    const box = frame.current;
    if (!box) return;
    const made = new uPlot(optionsOf(shown, box), shown.current.data, box);
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
    plot.current?.setData(props.data);
  }, [props]);

  return <div ref={frame} className={classes.frame} />;
}

function optionsOf(shown: { readonly current: PlotProps }, box: HTMLElement): uPlot.Options {
  return {
    ...sizeOf(box),
    legend: { show: false },
    padding: [0, 0, 0, 0],
    scales: { x: { time: false, range: (_, first, last) => [first - 0.5, last + 0.5] }, y: { range: () => [0, shown.current.end] } },
    axes: [{ show: false }, linesOf(shown, box)],
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    series: [
      {},
      ...shown.current.series.map(({ colour, filled, ...series }) => ({
        ...series,
        [filled ? 'fill' : 'stroke']: colourOf(box, colour),
      })),
    ],
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
function linesOf(shown: { readonly current: PlotProps }, box: HTMLElement): uPlot.Axis {
  return {
    size: 0,
    ticks: { show: false },
    grid: { stroke: colourOf(box, '--svc-line'), width: 1 },
    splits: () => [0, shown.current.end / 2, shown.current.end],
    values: () => [],
  };
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

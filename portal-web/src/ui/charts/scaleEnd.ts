/** The end of a chart's scale: a round number whose half is a whole number. */
export function scaleEnd(highest: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(highest, 1)));
  return Math.max([1, 2, 4, 6, 8, 10].map((step) => step * power).find((end) => end >= highest) ?? highest, 4);
}

/** The height of a bar as CSS has it, by the highest one. A single one among thousands is still seen. */
export function heightOf(count: number, highest: number): string {
  return count === 0 ? '0' : `max(4px, ${(100 * count) / highest}%)`;
}

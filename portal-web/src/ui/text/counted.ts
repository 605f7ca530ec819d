const numbers = new Intl.NumberFormat('en');

/** A number with its noun, as in "1 order", "1,200 orders" or "2 deliveries". */
export function counted(count: number, noun: string): string {
  const plural = /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
  return `${numbers.format(count)} ${count === 1 ? noun : plural}`;
}

/** What a list leaves out, at its end, so that its numbers add up to the one above it. */
export function othersWords(count: number): string {
  return `and ${count.toLocaleString('en')} ${count === 1 ? 'other' : 'others'}`;
}

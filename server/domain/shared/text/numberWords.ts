/** Made once: each `toLocaleString` makes one of its own, which costs as much as a hundred numbers. A number without a comma costs a tenth without it. */
const english = new Intl.NumberFormat('en');

/** A number as texts show it: 1,200. */
export function numberWords(number: number): string {
  return Number.isInteger(number) && Math.abs(number) < 1_000 ? `${number}` : english.format(number);
}

/** A number with its noun: “1 deletion”, “3 deletions”. */
export function counted(number: number, noun: string): string {
  return `${numberWords(number)} ${noun}${number === 1 ? '' : 's'}`;
}

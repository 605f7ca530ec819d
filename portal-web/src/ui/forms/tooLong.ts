/** What is said of a text that is too long. */
export function tooLong(length: number, longest: number): string {
  return `This has ${length.toLocaleString('en')} characters. The maximum is ${longest.toLocaleString('en')}.`;
}

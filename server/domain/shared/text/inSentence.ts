/** A text as it continues a sentence: with a small first letter, unless it begins with an abbreviation such as TLS. */
export function inSentence(text: string): string {
  return /^[A-Z]{2}/.test(text) ? text : `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

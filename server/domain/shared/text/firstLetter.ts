/** A text as it continues a sentence: with a small first letter, unless it begins with an abbreviation such as TLS. */
export function inSentence(text: string): string {
  return /^[A-Z]{2}/.test(text) ? text : `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

/** A text as it begins a sentence. */
export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

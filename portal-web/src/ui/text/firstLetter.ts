/** With a capital, as at the beginning of a sentence. */
export function capital(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Without one, as after a colon. */
export function inSentence(words: string): string {
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/**
 * Control characters, halves of surrogate pairs, and characters that change the direction of the text after them (embeddings, overrides,
 * isolates; Unicode Standard Annex 9), which can make a name read as another one or reorder the words that follow. Other invisible
 * characters are allowed because words need them: joiners in Persian and Indian scripts and in emoji, soft hyphens in long words.
 */
const refused = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * Whether a text that people write for each other contains characters that are not allowed. With `lines`, it may contain line breaks and
 * tabs.
 */
export function hasControls(text: string, { lines }: { lines: boolean }): boolean {
  return refused.test(lines ? text.replaceAll(/[\r\n\t]/g, '') : text);
}

/** Whether nothing of the text would be visible. */
export function isBlank(text: string): boolean {
  return !visible.test(text);
}

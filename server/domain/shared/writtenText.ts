/**
 * Controls, halves of surrogate pairs, and what turns the direction of the text that follows (embeddings, overrides, isolates; Unicode
 * Standard Annex 9), so that a name reads as another one or takes the words after it along. Whatever else cannot be seen belongs to words:
 * joiners to Persian and Indian scripts and to emoji, soft hyphens to long ones.
 */
const refused = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Whether a text that people write for each other has characters that it may not have. With `lines` it may break them, and have tabs. */
export function hasControls(text: string, { lines }: { lines: boolean }): boolean {
  return refused.test(lines ? text.replaceAll(/[\r\n\t]/g, '') : text);
}

/** Whether nobody would see anything of the text. */
export function isBlank(text: string): boolean {
  return !visible.test(text);
}

/**
 * Control characters, halves of surrogate pairs, and characters that change the direction of the text after them (embeddings, overrides,
 * isolates; Unicode Standard Annex 9), which can make a name read as another one or reorder the words that follow. Other invisible
 * characters are allowed because words need them: joiners in Persian and Indian scripts and in emoji, soft hyphens in long words.
 */
const refused = /[\p{Cc}\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

/**
 * A letter, number, punctuation mark or symbol that shows something. The fillers of Hangul (U+115F, U+1160, U+3164, U+FFA0) count as letters but
 * are default ignorable; the empty Braille pattern and the musical null notehead are symbols without a glyph.
 */
const glyph = /[[\p{L}\p{N}\p{P}\p{S}]--[\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]]/v;

/** No script puts as many marks on one character; a pile of them covers the lines above and below. */
const piled = /\p{M}{9}/u;

/**
 * What is wrong with a text that people write for each other, to follow its name; null if nothing is. With `lines`, it may contain line
 * breaks and tabs.
 */
export function flawOf(text: string, { lines }: { lines: boolean }): string | null {
  if (refused.test(lines ? text.replaceAll(/[\r\n\t]/g, '') : text)) return 'contains control characters';
  return piled.test(text) ? 'has more than eight accents on one character' : null;
}

/** Whether nothing of the text has a visible glyph. Everything with a name or words that somebody else reads is asked this. */
export function isBlank(text: string): boolean {
  return !glyph.test(text);
}

/** A text as it is compared when somebody searches: however it was composed (NFC), and whatever its case. SQL has the same in `folded`. */
export function foldText(text: string): string {
  return text.normalize('NFC').toLowerCase();
}

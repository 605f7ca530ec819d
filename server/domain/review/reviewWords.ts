import { flawOf, isBlank } from '../shared/text/writtenText.ts';
import { numberWords } from '../shared/text/numberWords.ts';

/**
 * What is wrong with something that people write for each other, in words, or null. It may contain line breaks, but no other control
 * characters, and something in it can be seen.
 */
export function wordsRefusal(text: string, longest: number): string | null {
  const length = [...text.trim()].length;
  if (isBlank(text)) return 'Enter some text.';
  if (length > longest) return `This text has ${numberWords(length)} characters; at most ${numberWords(longest)} are allowed.`;
  const flaw = flawOf(text, { lines: true });
  return flaw === null ? null : `This text ${flaw}.`;
}

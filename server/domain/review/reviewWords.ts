import { hasControls, isBlank } from '../shared/text/writtenText.ts';
import { numberWords } from '../shared/text/numberWords.ts';

/**
 * What is wrong with something that people write for each other, in words, or null. It may contain line breaks, but no other control
 * characters.
 */
export function wordsRefusal(text: string, longest: number): string | null {
  const length = [...text.trim()].length;
  if (isBlank(text)) return 'Enter some text.';
  if (length > longest) return `This text has ${numberWords(length)} characters; at most ${numberWords(longest)} are allowed.`;
  return hasControls(text, { lines: true }) ? 'This text contains control characters.' : null;
}

/** What is wrong with something that people wrote for each other, in words, or null. Lines may break; other control characters may not. */
export function wordsRefusal(text: string, longest: number): string | null {
  const length = [...text.trim()].length;
  if (length === 0) return 'Write something.';
  if (length > longest) return `This has ${length.toLocaleString('en')} characters; at most ${longest.toLocaleString('en')} are allowed.`;
  return /[\p{Cc}\u202a-\u202e\u2066-\u2069]/u.test(text.replace(/[\r\n\t]/g, '')) ? 'This contains control characters.' : null;
}

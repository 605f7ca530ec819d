/** Words in which a figure and what it counts stay on one line: “1 day”, “20 minutes”. */
export function unbroken(words: string): string {
  return words.replaceAll(/(\d) (?=[a-z])/g, '$1\u00A0');
}

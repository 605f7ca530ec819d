/** The document without its leading title, which the page shows as its own heading. */
export function withoutTitle(markdown: string): string {
  return markdown.replace(/^\s*#\s[^\n]*\n/, '');
}

/** A piece of running text. */
export type Inline = { kind: 'text' | 'strong' | 'emphasis' | 'code'; text: string } | { kind: 'link'; text: string; href: string };

/** No bracket inside a link's own brackets, so that one that is never closed is not looked for again and again. */
const inline = /`(.+?)`|\*\*(.+?)\*\*|\*(.+?)\*|\[([^[\]]+)\]\(([^()\s]+)\)/g;

/** https addresses, paths inside the portal (browsers read `/\` as `//`, which begins a host), and other guides by their file names. */
const followed = /^(https:\/\/|\/(?![/\\])|[a-z-]+\.md(#[a-z0-9-]+)?$)/;

/** Splits a line into its pieces. Other addresses than the followed ones stay text. */
export function parseInline(text: string): Inline[] {
  const pieces: Inline[] = [];
  let end = 0;
  for (const match of text.matchAll(inline)) {
    if (match.index > end) pieces.push({ kind: 'text', text: text.slice(end, match.index) });
    pieces.push(pieceOf(match));
    end = match.index + match[0].length;
  }
  if (end < text.length) pieces.push({ kind: 'text', text: text.slice(end) });
  return pieces;
}

function pieceOf([whole, code, strong, emphasis, label, href]: RegExpExecArray): Inline {
  if (code) return { kind: 'code', text: code };
  if (strong) return { kind: 'strong', text: strong };
  if (emphasis) return { kind: 'emphasis', text: emphasis };
  if (label && href && followed.test(href)) return { kind: 'link', text: label, href };
  return { kind: 'text', text: whole };
}

/** The name by which a heading is linked to, as "Rate-limit headers" by "rate-limit-headers". */
export function anchorOf(content: readonly Inline[]): string {
  const text = content.map((piece) => piece.text).join('');
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

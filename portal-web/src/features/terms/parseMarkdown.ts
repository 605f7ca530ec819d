/** A piece of running text. */
export type Inline = { kind: 'text' | 'strong' | 'emphasis' | 'code'; text: string } | { kind: 'link'; text: string; href: string };

/** A block of a document. */
export type Block =
  | { kind: 'heading'; level: number; content: Inline[] }
  | { kind: 'paragraph'; content: Inline[] }
  | { kind: 'list'; ordered: boolean; items: Inline[][] };

const bullet = /^\s*[-*]\s+/;
const number = /^\s*\d+[.)]\s+/;
const heading = /^(#{1,6})\s+(.*?)\s*#*$/;

/**
 * Reads the small part of Markdown that the terms use: headings, paragraphs, flat lists, strong, emphasis, code and links.
 * Everything else stays text, so that nothing in it can become markup.
 */
export function parseMarkdown(source: string): Block[] {
  const blocks: Block[] = [];
  for (const chunk of source.replaceAll('\r\n', '\n').split(/\n\s*\n/)) blocks.push(...parseChunk(chunk.split('\n')));
  return blocks;
}

function parseChunk(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  let paragraph: string[] = [];
  let list = null as { ordered: boolean; items: string[] } | null;
  const flush = () => {
    if (paragraph.some((line) => line.trim())) blocks.push({ kind: 'paragraph', content: parseInline(paragraph.join(' ').trim()) });
    if (list) blocks.push({ kind: 'list', ordered: list.ordered, items: list.items.map(parseInline) });
    paragraph = [];
    list = null;
  };
  for (const line of lines) {
    const title = heading.exec(line);
    if (title) {
      flush();
      blocks.push({ kind: 'heading', level: title[1]?.length ?? 1, content: parseInline(title[2] ?? '') });
    } else if (bullet.test(line) || number.test(line)) {
      const ordered = number.test(line);
      if (list?.ordered !== ordered) flush();
      list ??= { ordered, items: [] };
      list.items.push(line.replace(ordered ? number : bullet, ''));
    } else if (list && /^\s+\S/.test(line)) {
      list.items.push(`${list.items.pop() ?? ''} ${line.trim()}`);
    } else {
      if (list) flush();
      paragraph.push(line.trim());
    }
  }
  flush();
  return blocks;
}

const inline = /\*\*(.+?)\*\*|\*(.+?)\*|`(.+?)`|\[([^\]]+)\]\(([^)\s]+)\)/g;

/** Splits a line into its pieces. Only https addresses and paths inside the portal become links. */
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

function pieceOf([whole, strong, emphasis, code, label, href]: RegExpExecArray): Inline {
  if (strong) return { kind: 'strong', text: strong };
  if (emphasis) return { kind: 'emphasis', text: emphasis };
  if (code) return { kind: 'code', text: code };
  if (label && href && /^(https:\/\/|\/(?!\/))/.test(href)) return { kind: 'link', text: label, href };
  return { kind: 'text', text: whole };
}

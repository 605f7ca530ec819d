import { parseInline, type Inline } from './parseInline.ts';

/** A block of a document. */
export type Block =
  | { kind: 'heading'; level: number; content: Inline[] }
  | { kind: 'paragraph'; content: Inline[] }
  | { kind: 'list'; ordered: boolean; items: Inline[][] }
  | { kind: 'code'; text: string }
  | { kind: 'table'; head: Inline[][]; rows: Inline[][][] }
  | { kind: 'marker'; name: string };

const bullet = /^\s*[-*]\s+/;
const number = /^\s*\d+[.)]\s+/;
const heading = /^(#{1,6})\s+(.*)$/;
const fence = /^```/;
const row = /^\|(.*)\|\s*$/;
const rule = /^\|[\s:|-]+\|\s*$/;
const marker = /^<!-- ([a-z-]+) -->$/;

/**
 * Reads the small part of Markdown that terms and guides use: headings, paragraphs, flat lists, fenced code, tables, markers
 * (`<!-- name -->`, a place for something that the page makes), and what `parseInline` reads. Everything else stays text, so that nothing
 * in it can become markup.
 */
export function parseMarkdown(source: string): Block[] {
  const blocks: Block[] = [];
  const lines = source.replaceAll('\r\n', '\n').split('\n');
  for (let at = 0; at < lines.length;) {
    const line = lines[at] ?? '';
    const end = endOfBlock(lines, at);
    if (fence.test(line)) blocks.push({ kind: 'code', text: lines.slice(at + 1, end - 1).join('\n') });
    else if (isTable(lines, at)) blocks.push(tableOf(lines.slice(at, end)));
    else if (marker.test(line)) blocks.push({ kind: 'marker', name: marker.exec(line)?.[1] ?? '' });
    else blocks.push(...parseText(lines.slice(at, end)));
    at = end;
  }
  return blocks;
}

/** The line behind the block that begins at `at`. A fence that nobody closes goes to the end, as if its last line closed it. */
function endOfBlock(lines: readonly string[], at: number): number {
  const next = (found: (line: string, index: number) => boolean) => {
    let index = at + 1;
    while (index < lines.length && !found(lines[index] ?? '', index)) index += 1;
    return index;
  };
  if (fence.test(lines[at] ?? '')) return next((line) => fence.test(line)) + 1;
  if (isTable(lines, at)) return next((line) => !row.test(line));
  if (marker.test(lines[at] ?? '')) return at + 1;
  return next((line, index) => !line.trim() || fence.test(line) || marker.test(line) || isTable(lines, index));
}

function isTable(lines: readonly string[], at: number): boolean {
  return row.test(lines[at] ?? '') && rule.test(lines[at + 1] ?? '');
}

function tableOf([head = '', , ...rows]: readonly string[]): Block {
  const cellsOf = (line: string) => (row.exec(line)?.[1] ?? '').split('|').map((cell) => parseInline(cell.trim()));
  return { kind: 'table', head: cellsOf(head), rows: rows.map(cellsOf) };
}

/** A heading's text without the number signs that may close it. */
function withoutClosing(text: string): string {
  let end = text.length;
  while (text[end - 1] === '#') end -= 1;
  return text.slice(0, end).trimEnd();
}

function parseText(lines: readonly string[]): Block[] {
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
      blocks.push({ kind: 'heading', level: title[1]?.length ?? 1, content: parseInline(withoutClosing(title[2] ?? '')) });
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

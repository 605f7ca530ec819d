import MarkdownIt, { type Token } from 'markdown-it';

/** The parts of a document. The page renders them as elements; nothing in a document is used as markup directly. */
export type MarkdownNode =
  | { readonly kind: 'text' | 'code' | 'fence'; readonly text: string }
  /** `<!-- name -->`: a place that the page fills. */
  | { readonly kind: 'marker'; readonly name: string }
  | { readonly kind: 'link'; readonly href: string; readonly children: readonly MarkdownNode[] }
  | { readonly kind: 'element'; readonly tag: string; readonly children: readonly MarkdownNode[] };

/** https addresses, paths inside the portal (browsers read `/\` as `//`, which begins a host), and other guides by their file names. */
const followed = /^(https:\/\/|\/(?![/\\])|[a-z-]+\.md(#[a-z0-9-]+)?$)/;
const marker = /^<!-- ([a-z-]+) -->$/;

/** CommonMark with tables, without HTML and images: both stay text, and so do links to other addresses than the followed ones. */
const parser = new MarkdownIt('commonmark', { html: false })
  .enable('table')
  .disable(['html_block', 'html_inline', 'image', 'autolink', 'reference']);
parser.validateLink = (href) => followed.test(href);
// An address stays as it is written, so that `validateLink` checks exactly what the browser gets.
parser.normalizeLink = (href) => href;

/** Reads the Markdown of terms and guides. */
export function parseMarkdown(source: string): MarkdownNode[] {
  return treeOf(withMarkersApart(source)).map(markerIn);
}

/** Reads a single line of Markdown, which contains no blocks. */
export function parseInline(text: string): MarkdownNode[] {
  return treeOf(text, 'line');
}

/** The text of a part of a document, without its formatting. */
export function textOf(nodes: readonly MarkdownNode[]): string {
  return nodes.map((node) => ('text' in node ? node.text : 'children' in node ? textOf(node.children) : '')).join('');
}

/** The anchor of a heading: "Rate-limit headers" has "rate-limit-headers". */
export function anchorOf(content: readonly MarkdownNode[]): string {
  return textOf(content)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

export type Heading = { readonly level: number; readonly text: string; readonly anchor: string };

/** The headings of a document, in their order, without its title. */
export function headingsOf(source: string): Heading[] {
  return parseMarkdown(source).flatMap((node): Heading[] => {
    const level = node.kind === 'element' ? /^h([2-6])$/.exec(node.tag)?.[1] : undefined;
    return level !== undefined && node.kind === 'element'
      ? [{ level: Number(level), text: textOf(node.children), anchor: anchorOf(node.children) }]
      : [];
  });
}

function treeOf(source: string, extent: 'document' | 'line' = 'document'): MarkdownNode[] {
  const tokens = extent === 'line' ? parser.parseInline(source, {}) : parser.parse(source, {});
  return nodesOf(tokens);
}

type Open = { readonly token: Token; readonly children: MarkdownNode[] };

/** Builds a tree from a flat list of tokens, each of which opens an element, closes one, or is an element by itself. */
function nodesOf(tokens: readonly Token[]): MarkdownNode[] {
  const root: MarkdownNode[] = [];
  const open: Open[] = [];
  const here = () => open.at(-1)?.children ?? root;
  for (const token of tokens) {
    // The paragraphs of a tight list are not shown as paragraphs.
    if (token.hidden) continue;
    if (token.nesting === 1) open.push({ token, children: [] });
    else if (token.nesting === -1) {
      const closed = open.pop();
      if (closed) here().push(elementOf(closed));
    } else here().push(...leavesOf(token));
  }
  return root;
}

function elementOf({ token, children }: Open): MarkdownNode {
  if (token.type === 'link_open') return { kind: 'link', href: String(token.attrGet('href')), children };
  return { kind: 'element', tag: token.tag, children };
}

function leavesOf(token: Token): MarkdownNode[] {
  switch (token.type) {
    case 'inline':
      return nodesOf(token.children ?? []);
    case 'code_inline':
      return [{ kind: 'code', text: token.content }];
    case 'fence':
    case 'code_block':
      return [{ kind: 'fence', text: token.content.replace(/\n$/, '') }];
    case 'softbreak':
      return [{ kind: 'text', text: ' ' }];
    case 'hardbreak':
    case 'hr':
      return [{ kind: 'element', tag: token.tag, children: [] }];
    default:
      return token.content === '' ? [] : [{ kind: 'text', text: token.content }];
  }
}

/** A marker is a paragraph of its own, even without blank lines around it. */
function withMarkersApart(source: string): string {
  return source.replaceAll(/^<!-- [a-z-]+ -->$/gm, '\n$&\n');
}

function markerIn(node: MarkdownNode): MarkdownNode {
  const name = node.kind === 'element' && node.tag === 'p' ? marker.exec(textOf(node.children))?.[1] : undefined;
  return name === undefined ? node : { kind: 'marker', name };
}

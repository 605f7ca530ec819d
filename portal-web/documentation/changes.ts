import { anchorOf, type MarkdownNode, parseMarkdown, textOf } from '../src/features/markdown/parseMarkdown.ts';
import { htmlOfNodes } from './html.ts';

/** An entry of the changelog, for the feed. */
type Change = {
  /** Never changes, so that a reader of the feed sees each change once. */
  readonly anchor: string;
  readonly title: string;
  /** The first day of its month. */
  readonly at: string;
  readonly html: string;
};

/** The changelog's entries, newest first: below a heading for each month, a list with the subject of each entry in bold. */
export function changesOf(changelog: string): Change[] {
  let month: readonly MarkdownNode[] = [];
  return parseMarkdown(changelog).flatMap((node) => {
    if (node.kind !== 'element') return [];
    if (node.tag === 'h2') month = node.children;
    return node.tag === 'ul' ? node.children.flatMap((item) => changeOf(item, month)) : [];
  });
}

function changeOf(item: MarkdownNode, month: readonly MarkdownNode[]): Change[] {
  if (item.kind !== 'element') return [];
  const subject = firstBold(item.children);
  if (!subject) throw new Error(`The changelog has an entry without its subject in bold: ${textOf(item.children).slice(0, 60)}`);
  const day = new Date(`1 ${textOf(month)} UTC`);
  return [
    { anchor: `${anchorOf(month)}-${anchorOf(subject)}`, title: textOf(subject), at: day.toISOString(), html: htmlOfNodes(item.children) },
  ];
}

function firstBold(nodes: readonly MarkdownNode[]): readonly MarkdownNode[] | undefined {
  const bold = nodes.find((node) => node.kind === 'element' && node.tag === 'strong');
  return bold?.kind === 'element' ? bold.children : undefined;
}

import { escapeHtml } from '../../server/domain/shared/text/escapeHtml.ts';
import { anchorOf, type MarkdownNode, parseMarkdown } from '../src/features/markdown/parseMarkdown.ts';

/**
 * A document as finished HTML for readers without scripts. It is made from the same tree as the page, so nothing of the source is used as
 * markup: texts are escaped, and links lead only where the page's links do.
 */
export function htmlOf(markdown: string): string {
  return parseMarkdown(markdown).map(elementOf).join('\n');
}

function elementOf(node: MarkdownNode): string {
  switch (node.kind) {
    case 'text':
      return escapeHtml(node.text);
    case 'code':
      return `<code>${escapeHtml(node.text)}</code>`;
    case 'fence':
      return `<pre tabindex="0"><code>${escapeHtml(node.text)}</code></pre>`;
    case 'marker':
      return '';
    case 'link':
      return `<a href="${escapeHtml(addressOf(node.href))}">${htmlOfNodes(node.children)}</a>`;
    case 'element': {
      if (node.children.length === 0 && /^(br|hr)$/.test(node.tag)) return `<${node.tag}>`;
      const id = /^h\d$/.test(node.tag) ? ` id="${anchorOf(node.children)}"` : '';
      return `<${node.tag}${id}>${htmlOfNodes(node.children)}</${node.tag}>`;
    }
  }
}

/** A part of a document as HTML. */
export function htmlOfNodes(nodes: readonly MarkdownNode[]): string {
  return nodes.map(elementOf).join('');
}

/** Guides name each other by their files. */
function addressOf(href: string): string {
  return href.replace(/^([a-z-]+)\.md(?=#|$)/, '/docs/$1');
}

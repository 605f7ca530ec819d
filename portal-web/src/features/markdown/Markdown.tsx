import { Anchor, Code } from '@mantine/core';
import { createElement, Fragment, useMemo, type ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { colourJson } from '../reference/colourJson.ts';
import { Pieces } from '../reference/Pieces.tsx';
import classes from './Markdown.module.css';
import { WithLink } from './WithLink.tsx';
import { anchorOf, parseInline, parseMarkdown, textOf, type MarkdownNode } from './parseMarkdown.ts';

const none: Readonly<Record<string, ReactNode>> = {};

type MarkdownProps = {
  source: string;
  /** The level of the heading above the document. The document's highest headings are one level below it. */
  under?: number;
  /** What is shown at each of the document's markers, by name. */
  markers?: typeof none;
  /** Whether each heading has a link to itself beside it. */
  linked?: boolean;
};

/** Shows a document written in Markdown. */
export function Markdown({ source, under = 1, markers = none, linked = false }: MarkdownProps) {
  const nodes = useMemo(() => parseMarkdown(source), [source]);
  const highest = Math.min(6, ...nodes.flatMap((node) => levelOf(node) ?? []));
  const shift = under + 1 - highest;
  return createElement('div', { className: classes.document }, ...viewsOf(nodes, { shift, markers, linked }));
}

/** Shows a single line of Markdown. */
export function InlineMarkdown({ source }: { source: string }) {
  return createElement(Fragment, null, ...viewsOf(parseInline(source), { shift: 0, markers: none, linked: false }));
}

type Surroundings = { readonly shift: number; readonly markers: Readonly<Record<string, ReactNode>>; readonly linked: boolean };

// Children are passed as separate arguments: the parts of a document never change, so they need no keys.
function viewsOf(nodes: readonly MarkdownNode[], around: Surroundings): ReactNode[] {
  return nodes.map((node) => viewOf(node, around));
}

function viewOf(node: MarkdownNode, around: Surroundings): ReactNode {
  switch (node.kind) {
    case 'text':
      return node.text;
    case 'code':
      return createElement(Code, null, node.text);
    case 'fence':
      return (
        <CopyableCode
          value={node.text}
          label={`the lines that begin with ${node.text.slice(0, 24)}`}
          block
          // A document is read, and its texts are long; anything else is pasted.
          wraps={/^[[{]/.test(node.text)}
          shown={<Pieces pieces={colourJson(node.text)} />}
        />
      );
    case 'marker':
      return around.markers[node.name] ?? null;
    case 'link':
      return linkTo(node.href, viewsOf(node.children, around));
    case 'element':
      return elementOf(node.tag, node.children, around);
  }
}

function elementOf(tag: string, children: readonly MarkdownNode[], around: Surroundings): ReactNode {
  const level = levelOf({ kind: 'element', tag, children });
  if (level !== null) {
    const id = anchorOf(children);
    const heading = createElement(`h${Math.min(6, level + around.shift)}`, { id }, ...viewsOf(children, around));
    return around.linked ? createElement(WithLink, { id, label: textOf(children) }, heading) : heading;
  }
  if (tag === 'table') return tableOf(children, around);
  return createElement(tag, null, ...viewsOf(children, around));
}

function levelOf(node: MarkdownNode): number | null {
  const level = node.kind === 'element' ? /^h([1-6])$/.exec(node.tag)?.[1] : undefined;
  return level === undefined ? null : Number(level);
}

/** On a narrow screen, each cell shows the name of its column. */
function tableOf(parts: readonly MarkdownNode[], around: Surroundings): ReactNode {
  const [head = [], ...rows] = parts.flatMap(childrenOf).map(childrenOf);
  const names = head.map((cell) => textOf(childrenOf(cell)));
  const heads = head.map((cell) => createElement('th', { scope: 'col' }, ...viewsOf(childrenOf(cell), around)));
  const cells = (row: readonly MarkdownNode[]) =>
    row.map((cell, column) => createElement('td', { 'data-label': names[column] }, ...viewsOf(childrenOf(cell), around)));
  return (
    <table className={classes.table}>
      <thead>{createElement('tr', null, ...heads)}</thead>
      {createElement('tbody', null, ...rows.map((row) => createElement('tr', null, ...cells(row))))}
    </table>
  );
}

function childrenOf(node: MarkdownNode): readonly MarkdownNode[] {
  return 'children' in node ? node.children : [];
}

const guide = /^([a-z-]+)\.md(#[a-z0-9-]+)?$/;

function linkTo(href: string, content: readonly ReactNode[]): ReactNode {
  const [, name, anchor = ''] = guide.exec(href) ?? [];
  if (name) return createElement(PageLink, { to: `${paths.guide(name)}${anchor}` }, ...content);
  if (/^\/(docs|problems)\//.test(href)) return createElement(PageLink, { to: href }, ...content);
  return createElement(OutsideLink, { href }, ...content);
}

function PageLink({ to, children }: { to: string; children?: ReactNode }) {
  return (
    <Anchor component={Link} to={to} inherit>
      {children}
    </Anchor>
  );
}

function OutsideLink({ href, children }: { href: string; children?: ReactNode }) {
  return (
    <Anchor href={href} inherit rel="noopener noreferrer">
      {children}
    </Anchor>
  );
}

import { Anchor, Code } from '@mantine/core';
import { createElement, Fragment, useMemo, type ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { CopyableCode } from '../../ui/CopyableCode.tsx';
import classes from './Markdown.module.css';
import { anchorOf, parseInline, type Inline } from './parseInline.ts';
import { parseMarkdown, type Block } from './parseMarkdown.ts';

const none: Readonly<Record<string, ReactNode>> = {};

type MarkdownProps = {
  source: string;
  /** The level of the page's heading that the document's highest come right below. */
  under?: number;
  /** What stands at the document's markers, by their names. */
  markers?: typeof none;
};

/** Shows a document written in the small part of Markdown that `parseMarkdown` reads. */
export function Markdown({ source, under = 1, markers = none }: MarkdownProps) {
  const blocks = useMemo(() => parseMarkdown(source), [source]);
  const highest = Math.min(...blocks.map((block) => (block.kind === 'heading' ? block.level : 6)));
  const shift = under + 1 - highest;
  return createElement('div', { className: classes.document }, ...blocks.map((block) => viewOf(block, shift, markers)));
}

// Children are passed one by one: a document that never changes its parts needs no keys.
function viewOf(block: Block, shift: number, markers: Readonly<Record<string, ReactNode>>): ReactNode {
  switch (block.kind) {
    case 'heading':
      return createElement(`h${Math.min(6, block.level + shift)}`, { id: anchorOf(block.content) }, ...piecesOf(block.content));
    case 'paragraph':
      return createElement('p', null, ...piecesOf(block.content));
    case 'list':
      return createElement(
        block.ordered ? 'ol' : 'ul',
        null,
        ...block.items.map((content) => createElement('li', null, ...piecesOf(content))),
      );
    case 'code':
      return createElement(CopyableCode, { value: block.text, label: `the lines that begin with ${block.text.slice(0, 24)}`, block: true });
    case 'table':
      return tableView(block);
    case 'marker':
      return markers[block.name] ?? null;
  }
}

function tableView({ head, rows }: Block & { kind: 'table' }): ReactNode {
  const heads = head.map((content) => createElement('th', { scope: 'col' }, ...piecesOf(content)));
  const names = head.map((content) => content.map(({ text }) => text).join(''));
  const cells = (row: Inline[][]) =>
    row.map((content, column) => createElement('td', { 'data-label': names[column] }, ...piecesOf(content)));
  return (
    <table className={classes.table}>
      <thead>{createElement('tr', null, ...heads)}</thead>
      {createElement('tbody', null, ...rows.map((row) => createElement('tr', null, ...cells(row))))}
    </table>
  );
}

/** A line of such a document by itself. */
export function InlineMarkdown({ source }: { source: string }) {
  return createElement(Fragment, null, ...piecesOf(parseInline(source)));
}

function piecesOf(content: readonly Inline[]) {
  return content.map((piece) => createElement(Piece, { piece }));
}

const guide = /^([a-z-]+)\.md(#[a-z0-9-]+)?$/;

function Piece({ piece }: { piece: Inline }) {
  if (piece.kind === 'strong') return <strong>{piece.text}</strong>;
  if (piece.kind === 'emphasis') return <em>{piece.text}</em>;
  if (piece.kind === 'code') return <Code>{piece.text}</Code>;
  if (piece.kind !== 'link') return piece.text;
  const [, name, anchor = ''] = guide.exec(piece.href) ?? [];
  if (name) {
    return (
      <Anchor component={Link} to={`${paths.guide(name)}${anchor}`} inherit>
        {piece.text}
      </Anchor>
    );
  }
  return (
    <Anchor href={piece.href} inherit rel="noopener noreferrer">
      {piece.text}
    </Anchor>
  );
}

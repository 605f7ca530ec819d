import { Anchor, Code } from '@mantine/core';
import { createElement, useMemo } from 'react';
import classes from './Markdown.module.css';
import { parseMarkdown, type Block, type Inline } from './parseMarkdown.ts';

/**
 * Shows a document written in the small part of Markdown that `parseMarkdown` reads. Its highest headings come right
 * below level `under` of the page.
 */
export function Markdown({ source, under = 1 }: { source: string; under?: number }) {
  const blocks = useMemo(() => parseMarkdown(source), [source]);
  const highest = Math.min(...blocks.map((block) => (block.kind === 'heading' ? block.level : 6)));
  const shift = under + 1 - highest;
  return createElement('div', { className: classes.document }, ...blocks.map((block) => viewOf(block, shift)));
}

// Children are passed one by one: a document that never changes its parts needs no keys.
function viewOf(block: Block, shift: number) {
  if (block.kind === 'heading') return createElement(`h${Math.min(6, block.level + shift)}`, null, ...piecesOf(block.content));
  if (block.kind === 'paragraph') return createElement('p', null, ...piecesOf(block.content));
  const items = block.items.map((content) => createElement('li', null, ...piecesOf(content)));
  return createElement(block.ordered ? 'ol' : 'ul', null, ...items);
}

function piecesOf(content: readonly Inline[]) {
  return content.map((piece) => createElement(Piece, { piece }));
}

function Piece({ piece }: { piece: Inline }) {
  if (piece.kind === 'strong') return <strong>{piece.text}</strong>;
  if (piece.kind === 'emphasis') return <em>{piece.text}</em>;
  if (piece.kind === 'code') return <Code>{piece.text}</Code>;
  if (piece.kind === 'link') {
    return (
      <Anchor href={piece.href} inherit rel="noopener noreferrer">
        {piece.text}
      </Anchor>
    );
  }
  return piece.text;
}

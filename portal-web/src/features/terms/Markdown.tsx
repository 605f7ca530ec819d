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
  return (
    <div className={classes.document}>
      {blocks.map((block, index) => (
        // The document does not change while it is shown: the position is the identity.
        <BlockView key={index} block={block} shift={shift} />
      ))}
    </div>
  );
}

function BlockView({ block, shift }: { block: Block; shift: number }) {
  if (block.kind === 'heading') {
    return createElement(`h${Math.min(6, block.level + shift)}`, null, <Pieces content={block.content} />);
  }
  if (block.kind === 'paragraph') {
    return (
      <p>
        <Pieces content={block.content} />
      </p>
    );
  }
  const items = block.items.map((content, index) => (
    <li key={index}>
      <Pieces content={content} />
    </li>
  ));
  return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>;
}

function Pieces({ content }: { content: readonly Inline[] }) {
  return content.map((piece, index) => <Piece key={index} piece={piece} />);
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

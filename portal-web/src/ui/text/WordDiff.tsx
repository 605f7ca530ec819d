import { VisuallyHidden } from '@mantine/core';
import { useMemo } from 'react';
import { Fold } from '../layout/Fold.tsx';
import { counted } from './counted.ts';
import { textDifference, wordDifference, type WordRun } from './textDifference.ts';
import classes from './WordDiff.module.css';

type WordDiffProps = { before: string; after: string };

/**
 * What changed from one text to the next: words are marked inside their paragraphs, and paragraphs that did not change are folded. Headings in
 * Markdown stay visible, so that each change has its place.
 */
export function WordDiff({ before, after }: WordDiffProps) {
  const blocks = useMemo(() => textDifference(before, after).map((block, place) => ({ block, place })), [before, after]);
  return (
    <div className={classes.root}>
      {blocks.map(({ block, place }) =>
        block.kind === 'same' ? (
          <Unchanged key={place} paragraphs={block.paragraphs} last={place === blocks.length - 1} />
        ) : (
          <Changed key={place} words={block.words} />
        ),
      )}
    </div>
  );
}

/** Whether there is anything to show: texts that differ in white space alone read the same. */
export function differs({ before, after }: WordDiffProps): boolean {
  return textDifference(before, after).some((block) => block.kind === 'changed');
}

const heading = /^(#{1,6})\s+/;

function Unchanged({ paragraphs, last }: { paragraphs: readonly string[]; last: boolean }) {
  const place = last ? undefined : paragraphs.findLast((each) => heading.test(each));
  return (
    <>
      <div className={classes.folded}>
        <Fold summary={counted(paragraphs.length, 'unchanged paragraph')}>
          {paragraphs.map((paragraph, number) => (
            // The paragraphs of a text have no name but their number.
            // oxlint-disable-next-line react/no-array-index-key
            <p key={number}>{paragraph.replace(heading, '')}</p>
          ))}
        </Fold>
      </div>
      {place && <p className={classes.place}>{place.replace(heading, '')}</p>}
    </>
  );
}

function Changed({ words }: { words: readonly WordRun[] }) {
  const isHeading = heading.test(words[0]?.text ?? '');
  const shown = isHeading ? words.map((run, number) => (number === 0 ? { ...run, text: run.text.replace(heading, '') } : run)) : words;
  return (
    <p className={`${classes.changed} ${isHeading ? classes.place : ''}`}>
      <Words words={shown} />
    </p>
  );
}

/** How the words of one value differ, within a line of its own: for a sentence or two, which have no paragraphs. */
export function ValueDiff({ before, after }: WordDiffProps) {
  const words = useMemo(() => wordDifference(before, after), [before, after]);
  return (
    <div className={classes.root}>
      <Words words={words} />
    </div>
  );
}

function Words({ words }: { words: readonly WordRun[] }) {
  const named = words.map((run, number) => ({ ...run, number }));
  return (
    <>
      {named.map(({ kind, text, number }) => {
        if (kind === 'same') return text;
        const Mark = kind === 'added' ? 'ins' : 'del';
        return (
          <Mark key={number}>
            <VisuallyHidden>{kind === 'added' ? ' added: ' : ' removed: '}</VisuallyHidden>
            {text}
            <VisuallyHidden>{kind === 'added' ? ' (end of what was added) ' : ' (end of what was removed) '}</VisuallyHidden>
          </Mark>
        );
      })}
    </>
  );
}

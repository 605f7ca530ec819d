import type { ReactNode } from 'react';
import classes from '../../../features/docs/docs.module.css';
import { withAddresses } from '../../../features/docs/withAddresses.ts';
import { Markdown } from '../../../features/markdown/Markdown.tsx';
import { WithLink } from '../../../features/markdown/WithLink.tsx';
import { CodePanel } from '../../../features/reference/CodePanel.tsx';
import { colourJson } from '../../../features/reference/colourJson.ts';
import type { ReferencePart, ReferenceSection } from '../../../features/reference/referenceTypes.ts';
import { useFrame } from '../../../graphql/useFrame.ts';
import { FieldTree } from './FieldTree.tsx';

/** The sections of a page of the reference, each with its example beside it for as long as it is read. */
export function Sections({ sections, sample }: { sections: readonly ReferenceSection[]; sample?: ReactNode }) {
  const [{ data, error }] = useFrame();
  if (!data && !error) return null;
  const own = (text: string) => (data ? withAddresses(text, data.service) : text);
  return sections.map(({ parts, example }, at) => {
    const beside =
      at === 0 && sample ? sample : example === '' ? null : <CodePanel pieces={colourJson(own(example))} label="the example" />;
    return (
      <section key={parts[0]?.heading ?? at} className={classes.section} data-alone={beside === null || undefined}>
        <div className={`${classes.words} ${classes.rows}`}>
          {parts.map((part) => (
            <Part key={part.heading} part={part} own={own} />
          ))}
        </div>
        {beside && (
          <div className={classes.beside} data-first={at === 0 || undefined}>
            {beside}
          </div>
        )}
      </section>
    );
  });
}

function Part({ part: { heading, words, anchors, rows }, own }: { part: ReferencePart; own: (text: string) => string }) {
  const id = heading?.toLowerCase().replaceAll(' ', '-') ?? '';
  return (
    <>
      {heading && (
        <WithLink id={id} label={heading}>
          <h2 id={id} className={classes.heading}>
            {heading}
          </h2>
        </WithLink>
      )}
      {words && <Markdown source={own(words)} under={heading ? 2 : 1} linked />}
      {rows.length > 0 && <FieldTree rows={rows.map((row) => ({ ...row, words: own(row.words) }))} anchors={anchors} />}
    </>
  );
}

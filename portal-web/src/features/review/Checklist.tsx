import { Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import classes from './review.module.css';
import type { Submission } from './reviewQueries.ts';

type SubmittedItem = Submission['checklist'][number];

type ChecklistProps = {
  items: readonly SubmittedItem[];
  /** Whether to show what the reviewer looks for instead of the owner's statement. */
  forReviewers?: boolean;
  /** What is shown below each item. */
  children?: (item: SubmittedItem) => ReactNode;
};

/** The checklist of one submission: what the owner confirmed, and what the reviewers found about it. */
export function Checklist({ items, forReviewers = false, children }: ChecklistProps) {
  return (
    <ul className={classes.items}>
      {items.map((item) => (
        <li key={item.item} className={classes.item} data-met={item.verdict?.met} aria-label={item.title}>
          <div className={classes.head}>
            <Title order={3}>{item.title}</Title>
            <VerdictBadge verdict={item.verdict} />
          </div>
          <Text size="sm" c="dimmed">
            {forReviewers ? item.lookFor : item.statement}
          </Text>
          {!item.confirmed && (
            <Text size="sm" mt="xs">
              This item was added to the checklist after the submission, so {forReviewers ? 'the owner has' : 'you have'} not confirmed it.
              It is reviewed anyway.
            </Text>
          )}
          {item.word && <Words label={forReviewers ? 'Note from the owner' : 'Your note'} text={item.word} />}
          {item.verdict?.note && <Words label="Reviewer’s note" text={item.verdict.note} />}
          {children?.(item)}
        </li>
      ))}
    </ul>
  );
}

/** A verdict, if there is one. */
export function VerdictBadge({ verdict }: { verdict: { met: boolean } | null }) {
  if (!verdict) return null;
  return verdict.met ? <StatusBadge tone="good">Met</StatusBadge> : <StatusBadge tone="bad">Not met</StatusBadge>;
}

/** A text as it was written, with its line breaks. */
export function Words({ label, text }: { label: string; text: string }) {
  return (
    <div className={classes.words}>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      {text}
    </div>
  );
}

import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { LongText } from '../../../ui/forms/LongText.tsx';
import { useShortcuts } from '../../../ui/keys/useShortcuts.ts';
import type { Draft, Point } from './useSitting.ts';

/** The ID of the field for the note of a point, which a key leads to. */
const noteFieldOf = (item: Point['item']) => `note-${item}`;

/** The ID of the button that opens a point. Escape leads from the note back to it, so that the keys work again. */
export const pointButtonOf = (item: Point['item']) => `point-${item}`;

type PointFormProps = {
  point: Point;
  draft: Draft;
  /** The reviewer's own notes on this point in earlier reviews. */
  formerNotes: readonly string[];
  onChange: (changes: Partial<Draft>) => void;
  /** Says whether the point is met, and goes on. */
  onJudge: (met: boolean) => void;
};

/** The verdict on one point and its note. Both are kept as they are made, and can change until the decision. */
export function PointForm({ point: { item, title }, draft: { met, note }, formerNotes, onChange, onJudge }: PointFormProps) {
  return (
    <>
      <LongText
        id={noteFieldOf(item)}
        label="Note for the owner"
        description={met === false ? 'Required: say what is missing.' : undefined}
        aria-label={`Note on: ${title}`}
        size="sm"
        minRows={2}
        maxRows={6}
        longest={2000}
        value={note}
        onChange={(event) => onChange({ note: event.currentTarget.value })}
        onKeyDown={(event) => event.key === 'Escape' && document.getElementById(pointButtonOf(item))?.focus()}
        error={met === false && note.trim() === '' ? 'The owner reads this note and works from it.' : undefined}
      />
      <Group gap="xs" mt="xs" align="flex-end">
        <Button
          size="xs"
          variant={met === true ? 'filled' : 'default'}
          aria-pressed={met === true}
          aria-label={`Met: ${title}`}
          onClick={() => onJudge(true)}
        >
          Met
        </Button>
        <Button
          size="xs"
          variant={met === false ? 'filled' : 'default'}
          color={met === false ? 'red.9' : undefined}
          aria-pressed={met === false}
          aria-label={`Not met: ${title}`}
          onClick={() => onJudge(false)}
        >
          Not met
        </Button>
        {formerNotes.length > 0 && (
          <NativeSelect
            size="xs"
            aria-label={`Your earlier notes on: ${title}`}
            value=""
            onChange={(event) => onChange({ note: [note.trim(), event.currentTarget.value].filter(Boolean).join('\n') })}
            data={[{ value: '', label: 'Use an earlier note…' }, ...formerNotes.map((text) => ({ value: text, label: shortened(text) }))]}
          />
        )}
      </Group>
      {met === null && (
        <Text size="xs" c="dimmed" mt={4}>
          Saved as you type. The owner sees it once you have said whether the point is met.
        </Text>
      )}
    </>
  );
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

type ReviewKeys = {
  points: readonly Point[];
  open: Point['item'] | null;
  onOpen: (item: Point['item']) => void;
  /** Only while the reader may work on the submission. */
  onJudge: (item: Point['item'], met: boolean) => void;
  onApprove: () => void;
  onReject: () => void;
  mayWork: boolean;
};

export const questionField = 'review-question';

/** Keys of a submission's page: j and k between points, m and n for a verdict, q for a question, a and r for the decision. */
export function useReviewKeys({ points, open, onOpen, onJudge, onApprove, onReject, mayWork }: ReviewKeys): void {
  function step(by: 1 | -1) {
    const here = points.findIndex(({ item }) => item === open);
    const next = points[here === -1 ? 0 : here + by];
    if (!next) return;
    onOpen(next.item);
    focusPoint(next.item);
  }
  useShortcuts({
    j: { label: 'Next point', run: () => step(1) },
    k: { label: 'Previous point', run: () => step(-1) },
  });
  useShortcuts(
    {
      m: { label: 'The open point is met', run: () => open && onJudge(open, true) },
      n: {
        label: 'The open point is not met; say why',
        run: () => {
          if (!open) return;
          onJudge(open, false);
          focusSoon(noteFieldOf(open));
        },
      },
      q: { label: 'Ask the owner', run: () => focusSoon(questionField) },
      a: { label: 'Approve, with a confirmation', run: onApprove },
      r: { label: 'Reject, with a confirmation', run: onReject },
    },
    mayWork,
  );
}

/** Leads to the button of a point that is about to open. */
export function focusPoint(item: Point['item']): void {
  focusSoon(pointButtonOf(item));
}

/** The key must not end up in the field, and the point may only just have opened. */
function focusSoon(id: string): void {
  setTimeout(() => document.getElementById(id)?.focus());
}

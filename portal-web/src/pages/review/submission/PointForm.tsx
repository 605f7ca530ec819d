import { Button, Group, NativeSelect, Text } from '@mantine/core';
import { LongText } from '../../../ui/forms/LongText.tsx';
import type { Draft } from './useSitting.ts';
import type { Point } from './useSitting.ts';

/** The ID of the field for the note of a point, which a key leads to. */
export const noteFieldOf = (item: Point['item']) => `note-${item}`;

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
          Kept as you type. The owner reads it once you have said whether the point is met.
        </Text>
      )}
    </>
  );
}

function shortened(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ');
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}

import { Anchor, Button, Checkbox, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { ShortText } from '../../ui/forms/ShortText.tsx';
import { Words } from '../review/Checklist.tsx';
import classes from './production.module.css';
import type { ChecklistItem } from './productionQuery.ts';

type ChecklistTaskProps = {
  item: ChecklistItem;
  confirmed: boolean;
  word: string;
  /** What the reviewers wrote about it, if they found it not met. */
  unmet: string | null;
  /** Where it can be mended. */
  place: { label: string; to: string } | null;
  onConfirm: (on: boolean) => void;
  onWord: (word: string) => void;
};

/** One item of the checklist to confirm, with a note if there is something to say about it. */
export function ChecklistTask({ item: { title, statement }, confirmed, word, unmet, place, onConfirm, onWord }: ChecklistTaskProps) {
  const [noting, setNoting] = useState(word !== '');
  return (
    <li className={classes.task} aria-label={title}>
      <Checkbox
        label={unmet === null ? title : `${title}: I have changed it`}
        description={statement}
        checked={confirmed}
        onChange={(event) => onConfirm(event.currentTarget.checked)}
      />
      {!noting && (
        <Button variant="subtle" size="compact-sm" aria-label={`Add a note on: ${title}`} onClick={() => setNoting(true)}>
          Add a note
        </Button>
      )}
      {unmet !== null && (
        <div className={classes.note}>
          <Words label="Reviewer’s note" text={unmet} />
          {place && (
            <Text size="sm" mt={4}>
              <Anchor component={Link} to={place.to} inherit>
                {place.label}
              </Anchor>
            </Text>
          )}
        </div>
      )}
      {noting && (
        <div className={classes.note}>
          <ShortText
            size="xs"
            aria-label={`Note on: ${title}`}
            placeholder="Note for reviewers (optional)"
            longest={500}
            value={word}
            onChange={(event) => onWord(event.currentTarget.value)}
          />
        </div>
      )}
    </li>
  );
}

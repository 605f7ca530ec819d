import { Button } from '@mantine/core';
import { Notice } from '../../ui/states/Notice.tsx';
import { Words } from '../review/Checklist.tsx';
import type { Refusal } from './DraftSaver.ts';

type NotSavedProps = {
  refusal: Refusal;
  /** What is stored and differs from what is here. */
  theirs: readonly { readonly title: string; readonly text: string }[];
  onKeepMine: () => void;
  onTakeTheirs: () => void;
  onRetry: () => void;
};

/** Says that a draft was not stored. If another window has stored something else, the reader sees that and chooses which one is kept. */
export function NotSaved({ refusal, theirs, onKeepMine, onTakeTheirs, onRetry }: NotSavedProps) {
  if (!refusal.conflict) {
    return (
      <Notice
        title="Not saved"
        words={refusal.words}
        actions={
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        }
      />
    );
  }
  return (
    <Notice
      title="Not saved"
      words={refusal.words}
      actions={
        <>
          <Button size="xs" variant="default" onClick={onKeepMine}>
            Keep what is here
          </Button>
          <Button size="xs" variant="default" onClick={onTakeTheirs}>
            Take what is stored
          </Button>
        </>
      }
    >
      {theirs.map(({ title, text }) => (
        <Words key={title} label={`Stored: ${title}`} text={text === '' ? 'Nothing' : text} />
      ))}
    </Notice>
  );
}

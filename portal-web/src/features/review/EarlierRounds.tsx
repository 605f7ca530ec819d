import { Stack, Title } from '@mantine/core';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Checklist, Words } from './Checklist.tsx';
import classes from './review.module.css';
import type { Round } from './reviewQueries.ts';
import { notesLabel, submissionStatusWords } from './reviewWords.ts';
import { RoundFacts } from './RoundFacts.tsx';
import { Thread } from './Thread.tsx';

/** The rounds before, each to be opened. */
export function EarlierRounds({ rounds, reader }: { rounds: readonly Round[]; reader: 'operator' | 'reviewer' }) {
  if (rounds.length === 0) return null;
  return (
    <Panel title="Earlier rounds">
      {rounds.map((round) => (
        <details key={round.id} className={classes.round}>
          <summary>
            Round {round.round}: {submissionStatusWords[round.status].word.toLowerCase()}
          </summary>
          <Stack gap="md">
            {round.decisionNotes && <Words label={notesLabel(round)} text={round.decisionNotes} />}
            <RoundFacts round={round} />
            <Checklist items={round.checklist} />
            {round.messages.length > 0 && (
              <>
                <Title order={3}>Questions and answers</Title>
                <Thread messages={round.messages} reader={reader} />
              </>
            )}
          </Stack>
        </details>
      ))}
    </Panel>
  );
}

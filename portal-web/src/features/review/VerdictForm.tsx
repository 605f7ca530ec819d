import { Button, Group, Stack, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import { describeError } from '../../graphql/describeError.ts';
import type { SubmittedItem } from './Checklist.tsx';
import { giveVerdictMutation } from './reviewMutations.ts';

type VerdictFormProps = { submissionId: string; item: SubmittedItem; onGiven: () => void };

/** Records whether an item is met, with a note. A verdict can be changed until the decision. */
export function VerdictForm({ submissionId, item: { item, title, verdict }, onGiven }: VerdictFormProps) {
  const [, giveVerdict] = useMutation(giveVerdictMutation);
  const [note, setNote] = useState(verdict?.note ?? '');
  const [problem, setProblem] = useState<string | null>(null);
  const [busy, setBusy] = useState<'met' | 'unmet' | null>(null);

  async function give(met: boolean) {
    setBusy(met ? 'met' : 'unmet');
    setProblem(null);
    const { error } = await giveVerdict({ input: { submissionId, item, met, note } });
    setBusy(null);
    if (error) return setProblem(describeError(error).message);
    onGiven();
  }

  return (
    <Stack gap="xs" mt="sm">
      <Textarea
        aria-label={`Note on: ${title}`}
        placeholder="Note for the owner; required if the item is not met"
        autosize
        minRows={1}
        maxRows={8}
        maxLength={2000}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
        error={problem}
      />
      <Group gap="xs">
        <Button size="xs" variant="default" loading={busy === 'met'} onClick={() => void give(true)} aria-label={`Met: ${title}`}>
          Met
        </Button>
        <Button size="xs" variant="default" loading={busy === 'unmet'} onClick={() => void give(false)} aria-label={`Not met: ${title}`}>
          Not met
        </Button>
      </Group>
    </Stack>
  );
}

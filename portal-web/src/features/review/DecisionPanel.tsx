import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { useMutation } from 'urql';
import type { DescribedError } from '../../graphql/describeError.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { ScopeList } from '../integration/ScopeList.tsx';
import { useFreshPasskey } from '../passkey/useFreshPasskey.ts';
import { approveSubmissionMutation, rejectSubmissionMutation } from './reviewMutations.ts';
import type { SubmissionInReview } from './reviewQueries.ts';

type Decision = 'approve' | 'reject';

/** Approves or rejects a submission, after a confirmation with the passkey. */
export function DecisionPanel({ submission, onChanged }: { submission: SubmissionInReview; onChanged: () => void }) {
  const [decision, setDecision] = useState<Decision | null>(null);
  const open = submission.checklist.filter(({ verdict }) => !verdict?.met);
  return (
    <Panel
      title="Decision"
      lead={
        open.length === 0
          ? 'Every item is met. Approval covers exactly this profile version and these scopes. It does not enable production data.'
          : `Not met, or no verdict yet: ${open.map(({ title }) => title).join(', ')}. To approve, every item must be met; you can reject now.`
      }
    >
      <Group gap="sm">
        <Button disabled={open.length > 0} onClick={() => setDecision('approve')}>
          Approve
        </Button>
        <Button variant="default" onClick={() => setDecision('reject')}>
          Reject with notes
        </Button>
      </Group>
      {decision && <DecisionDialog submission={submission} decision={decision} onClose={() => setDecision(null)} onChanged={onChanged} />}
    </Panel>
  );
}

type DialogProps = { submission: SubmissionInReview; decision: Decision; onClose: () => void; onChanged: () => void };

function DecisionDialog({ submission, decision, onClose, onChanged }: DialogProps) {
  const [, approveSubmission] = useMutation(approveSubmissionMutation);
  const [, rejectSubmission] = useMutation(rejectSubmissionMutation);
  const confirmed = useFreshPasskey();
  const [notes, setNotes] = useState('');
  // What the page showed when the dialog opened. The reviewer has not read what arrives behind the dialog.
  const [seen] = useState({ messagesSeen: submission.messages.length, reportsSeen: submission.businessModelReports.length });
  const [problem, setProblem] = useState<DescribedError | null>(null);
  const [busy, setBusy] = useState(false);
  const approves = decision === 'approve';
  const name = submission.profile.publicName;

  async function decide() {
    setBusy(true);
    setProblem(null);
    const variables = { input: { submissionId: submission.id, notes, ...seen } };
    const { error } = approves ? await confirmed(() => approveSubmission(variables)) : await confirmed(() => rejectSubmission(variables));
    setBusy(false);
    if (error) return setProblem(error);
    onClose();
    onChanged();
  }

  function close() {
    onClose();
    // The page now shows what stood in the way.
    if (problem) onChanged();
  }

  return (
    <Modal opened onClose={close} title={approves ? `Approve ${name}?` : `Reject ${name}?`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <Stack gap="md">
        {problem && !problem.fields['notes'] && <ErrorMessage message={problem.message} />}
        {approves ? (
          <>
            <Text>
              Profile version {submission.profileVersion} is approved with exactly these scopes. We email the owner, who can then request a
              production certificate and activate the integration. Production data stays disabled until an administrator opens the gate.
            </Text>
            <ScopeList scopes={submission.scopes} />
          </>
        ) : (
          <Text>We email the owner, who can read your notes and every verdict and submit again after making changes.</Text>
        )}
        <Textarea
          label={approves ? 'Note for the owner (optional)' : 'What needs to change'}
          required={!approves}
          autosize
          minRows={3}
          maxRows={12}
          maxLength={2000}
          value={notes}
          onChange={(event) => setNotes(event.currentTarget.value)}
          error={problem?.fields['notes']}
        />
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={close}>
            Keep reviewing
          </Button>
          <Button color={approves ? undefined : 'red.9'} loading={busy} onClick={() => void decide()}>
            {approves ? 'Approve this version' : 'Reject this version'}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

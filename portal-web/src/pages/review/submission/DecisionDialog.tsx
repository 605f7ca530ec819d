import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useState, type SubmitEvent } from 'react';
import { useMutation } from 'urql';
import type { DescribedError } from '../../../graphql/describeError.ts';
import { LongText } from '../../../ui/forms/LongText.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Notice } from '../../../ui/states/Notice.tsx';
import { ScopeList } from '../../../features/scopes/ScopeList.tsx';
import { useFreshPasskey } from '../../../features/passkey/useFreshPasskey.ts';
import { unknownWords } from '../../../features/review/checkWords.ts';
import { approveSubmissionMutation, rejectSubmissionMutation } from '../../../features/review/reviewMutations.ts';
import type { SubmissionInReview } from '../../../features/review/reviewQueries.ts';
import type { Sitting } from './useSitting.ts';

type DialogProps = {
  submission: SubmissionInReview;
  decision: 'approve' | 'reject';
  sitting: Sitting;
  onClose: () => void;
  /** The page then shows what stood in the way. */
  onRefused: () => void;
  onDecided: () => void;
};

/** Says what a decision means, and decides, after a confirmation with the passkey. */
export function DecisionDialog({ submission, decision, sitting, onClose, onRefused, onDecided }: DialogProps) {
  const [, approveSubmission] = useMutation(approveSubmissionMutation);
  const [, rejectSubmission] = useMutation(rejectSubmissionMutation);
  const confirmed = useFreshPasskey();
  // What the page showed when the dialog opened. The reviewer has not read what arrives behind the dialog.
  const [seen] = useState({ messagesSeen: submission.messages.length, reportsSeen: submission.businessModelReports.length });
  const [problem, setProblem] = useState<DescribedError | null>(null);
  const [busy, setBusy] = useState(false);
  const approves = decision === 'approve';
  const part = approves ? 'approval' : 'rejection';
  const notes = sitting.draftOf(part).note;
  const name = submission.profile.publicName;
  const unknown = unknownWords(submission.checks);

  async function decide(event: SubmitEvent) {
    event.preventDefault();
    setBusy(true);
    setProblem(null);
    // The decision takes the verdicts that are stored. If something is not, the page says why.
    if (!(await sitting.flush())) return onClose();
    const variables = { input: { submissionId: submission.id, notes, ...seen } };
    const { error } = approves ? await confirmed(() => approveSubmission(variables)) : await confirmed(() => rejectSubmission(variables));
    setBusy(false);
    if (error) return setProblem(error);
    onDecided();
  }

  function close() {
    onClose();
    if (problem) onRefused();
  }

  return (
    <Modal opened onClose={close} title={approves ? `Approve ${name}?` : `Reject ${name}?`} closeButtonProps={{ 'aria-label': 'Close' }}>
      <form onSubmit={(event) => void decide(event)} noValidate>
        <Stack gap="md">
          {problem && !problem.fields['notes'] && <ErrorMessage message={problem.message} />}
          {approves ? (
            <>
              <Text>
                Profile version {submission.profileVersion} is approved with exactly these scopes. We email the owner, who can then request
                a production certificate and activate the integration. Production data stays disabled until an administrator opens the gate.
              </Text>
              <ScopeList scopes={submission.scopes} />
              {unknown !== null && <Notice {...unknown} />}
            </>
          ) : (
            <Text>We email the owner, who can read your notes and every verdict and submit again after making changes.</Text>
          )}
          <LongText
            label={approves ? 'Note for the owner (optional)' : 'What needs to change'}
            required={!approves}
            data-autofocus={approves ? undefined : true}
            minRows={approves ? 1 : 3}
            maxRows={12}
            longest={2000}
            value={notes}
            onChange={(event) => sitting.change(part, { note: event.currentTarget.value })}
            error={problem?.fields['notes']}
          />
          <Group justify="flex-end" gap="sm">
            <Button variant="default" onClick={close}>
              Keep reviewing
            </Button>
            <Button type="submit" color={approves ? undefined : 'red.9'} loading={busy} data-autofocus={approves ? true : undefined}>
              {approves ? 'Approve this version' : 'Reject this version'}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

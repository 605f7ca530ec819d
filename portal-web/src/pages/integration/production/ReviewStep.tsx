import { Alert, Button, Stack, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useMutation } from 'urql';
import { useTabText } from '../../../features/drafts/useTabDraft.ts';
import { useReadOnly } from '../../../features/integration/ownerView.ts';
import { useIntegration } from '../../../features/integration/useIntegration.ts';
import type { Check } from '../../../features/review/checkFragment.ts';
import { Checklist } from '../../../features/review/Checklist.tsx';
import { checkBadge, countWords, groupedChecks } from '../../../features/review/checkWords.ts';
import { answerQuestionMutation, withdrawSubmissionMutation } from '../../../features/review/reviewMutations.ts';
import type { Submission } from '../../../features/review/reviewQueries.ts';
import { SubmissionFacts } from '../../../features/review/SubmissionFacts.tsx';
import { MessageForm, Thread } from '../../../features/review/Thread.tsx';
import { describeError } from '../../../graphql/describeError.ts';
import { ConsequenceDialog } from '../../../ui/forms/ConsequenceDialog.tsx';
import { Fold } from '../../../ui/layout/Fold.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { ElapsedTime } from '../../../ui/time/ElapsedTime.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import classes from './production.module.css';
import { checkPagesMutation, type OwnSubmission, type Production } from './productionQuery.ts';
import { queueWords } from './productionSteps.ts';

type ReviewStepProps = {
  submission: OwnSubmission;
  queue: Production['integration']['reviewQueue'];
  /** The integration's name. */
  name: string;
  onChanged: () => void;
};

/** The review as its owner sees it: whose turn it is, what was asked, and what was submitted. An answer gives the turn back. */
export function ReviewStep({ submission, queue, name, onChanged }: ReviewStepProps) {
  const readOnly = useReadOnly();
  const [withdrawing, setWithdrawing] = useState(false);
  const [, answerQuestion] = useMutation(answerQuestionMutation);
  const [answer, keepAnswer] = useTabText(`answer.${submission.id}`);
  const { developmentMailbox } = useIntegration().service;
  const asked = submission.waitingFor === 'operator';
  return (
    <Panel
      title={asked ? 'Answer the reviewers' : `Review of submission ${submission.number}`}
      lead={
        asked ? (
          'The reviewers have a question. The review continues as soon as you answer.'
        ) : (
          <>
            {submission.taken ? 'A reviewer is working on it.' : 'It is in the review queue.'} {queueWords(queue)} It has been waiting for
            the reviewers <ElapsedTime since={submission.waitingSince} />. There is nothing for you to do; we email you when there is.
          </>
        )
      }
    >
      <Stack gap="md">
        {!asked && developmentMailbox && (
          <Alert variant="outline" color="gray" title="This is a development server">
            Nobody reviews here unless you do. Register a second account, as nobody reviews their own integrations, make it a reviewer with{' '}
            <code>dist/oi admin grant-role EMAIL reviewer</code>, sign in with it in another browser profile, and open Review.
          </Alert>
        )}
        {submission.messages.length > 0 && (
          <div>
            <Thread messages={submission.messages} reader="operator" />
            {!readOnly && (
              <MessageForm
                label="Your answer"
                description="The reviewers can read it here, and the review continues."
                button="Send answer"
                draft={{ body: answer, onChange: keepAnswer }}
                main={asked}
                send={(body) => answerQuestion({ input: { submissionId: submission.id, body } })}
                onSent={onChanged}
              />
            )}
          </div>
        )}
        <SubmissionFacts submission={submission} />
        <Fold summary="What you confirmed">
          <Checklist items={submission.checklist} />
        </Fold>
        {!readOnly && (
          <>
            <Text size="sm" c="dimmed">
              You cannot edit the profile until the reviewers decide. To edit it now, withdraw the submission.
            </Text>
            <Button variant="default" w="fit-content" onClick={() => setWithdrawing(true)}>
              Withdraw submission
            </Button>
          </>
        )}
      </Stack>
      {withdrawing && <WithdrawDialog submission={submission} name={name} onClose={() => setWithdrawing(false)} onWithdrawn={onChanged} />}
    </Panel>
  );
}

type WithdrawDialogProps = { submission: Submission; name: string; onClose: () => void; onWithdrawn: () => void };

/** Says what withdrawing a submission means, and asks for a reason once a reviewer has taken it. */
function WithdrawDialog({ submission: { id, number, taken }, name, onClose, onWithdrawn }: WithdrawDialogProps) {
  const [, withdrawSubmission] = useMutation(withdrawSubmissionMutation);
  // A reviewer may have taken the submission since the page was read. The service then refuses an empty reason at the field.
  const [asked, setAsked] = useState(taken);

  async function withdraw(reason: string) {
    const { error } = await withdrawSubmission({ input: { submissionId: id, reason: reason || null } });
    if (error) {
      const { message, fields } = describeError(error);
      if (fields['reason'] === undefined) return message;
      setAsked(true);
      return { reason: fields['reason'] };
    }
    onWithdrawn();
    return null;
  }

  return (
    <ConsequenceDialog
      title={`Withdraw ${name} from review?`}
      object={`Submission ${number} of ${name}`}
      changes={['It ends without a decision, at once.', 'If you submit again, it goes to the end of the queue.']}
      unchanged={['The sandbox keeps working.', 'You can edit the profile and submit it again at any time.']}
      {...(asked && {
        reason: {
          label: 'Reason',
          description: 'A reviewer has already started on this submission and will read your reason.',
          longest: 500,
          required: true,
        },
      })}
      verb="Withdraw submission"
      onConfirm={withdraw}
      onClose={onClose}
    />
  );
}

type ChecksPanelProps = { checks: readonly Check[]; integrationId: string; onChecked: () => void; children: ReactNode };

/** What the service has found out by itself, the gravest first, and a button that has the pages visited again. */
export function ChecksPanel({ checks, integrationId, onChecked, children }: ChecksPanelProps) {
  const { service } = useIntegration();
  const readOnly = useReadOnly();
  const [{ fetching }, checkPages] = useMutation(checkPagesMutation);
  const [problem, setProblem] = useState<string | null>(null);
  const { failed, unknown, unvisited, passed } = groupedChecks(checks);
  const checking = checks.some((each) => each.checking);
  const visitedAt = checks.find((each) => each.check === 'website')?.checkedAt ?? null;

  async function check() {
    const { error } = await checkPages({ input: { integrationId } });
    setProblem(error ? describeError(error).message : null);
    onChecked();
  }

  return (
    <Panel title="Checked by the service" lead="Reviewers see these results. Only required checks that fail block a submission.">
      <Stack gap="sm">
        {problem && <ErrorMessage message={problem} />}
        <Text size="sm" c="dimmed" role="status">
          {checking
            ? 'The service is visiting your pages.'
            : visitedAt !== null && (
                <>
                  Pages visited <Time value={visitedAt} />: {countWords(checks)}.
                </>
              )}
        </Text>
        {failed.length > 0 && <CheckList label="To fix" checks={failed} />}
        {unvisited.length > 0 && !checking && (
          <Text size="sm">Your pages have not been checked yet. Check them now, or we do once you start filling in the form.</Text>
        )}
        <Folded words="could not be checked" checks={unknown} />
        {service.developmentReceiver && unknown.length > 0 && (
          <Text size="sm">
            This is a development server. Pages that exist only on your machine, or at invented names such as tracker.example, cannot be
            checked from here. That does not block a submission.
          </Text>
        )}
        <Folded words="passed" checks={passed} />
        {children}
        {!readOnly && (
          <Button variant="default" size="xs" w="fit-content" loading={fetching || checking} onClick={() => void check()}>
            {visitedAt !== null ? 'Check again' : 'Check the pages'}
          </Button>
        )}
      </Stack>
    </Panel>
  );
}

function Folded({ words, checks }: { words: string; checks: readonly Check[] }) {
  if (checks.length === 0) return null;
  return (
    <Fold summary={`${checks.length} ${words}`}>
      <CheckList label={`Checks that ${words}`} checks={checks} />
    </Fold>
  );
}

function CheckList({ label, checks }: { label: string; checks: readonly Check[] }) {
  return (
    <ul className={classes.checks} aria-label={label}>
      {checks.map((check) => {
        const { tone, word } = checkBadge(check);
        return (
          <li key={check.check} className={classes.check}>
            <span className={classes.checkHead}>
              <span className={classes.checkTitle}>{check.title}</span>
              <span className={classes.badge}>
                <StatusBadge tone={tone}>{word}</StatusBadge>
              </span>
            </span>
            <Text size="sm" c="dimmed" component="span">
              {check.found}
            </Text>
          </li>
        );
      })}
    </ul>
  );
}

import { Stack, Text, Title } from '@mantine/core';
import { useParams } from 'react-router';
import { useMutation } from 'urql';
import { AgreementTable } from '../../features/business-model/AgreementTable.tsx';
import { ReportTable } from '../../features/business-model/ReportTable.tsx';
import { ProfilePanel } from '../../features/integration/ProfilePanel.tsx';
import { ChangeList } from '../../features/profile/ChangeList.tsx';
import { EvidenceList } from '../../features/review-evidence/EvidenceList.tsx';
import { Checklist, Words } from '../../features/review/Checklist.tsx';
import { DecisionPanel } from '../../features/review/DecisionPanel.tsx';
import { EarlierSubmissions } from '../../features/review/EarlierSubmissions.tsx';
import { askQuestionMutation } from '../../features/review/reviewMutations.ts';
import { submissionQuery, type SubmissionInReview } from '../../features/review/reviewQueries.ts';
import { notesLabel, submissionStatusWords } from '../../features/review/reviewWords.ts';
import { SubmissionFacts } from '../../features/review/SubmissionFacts.tsx';
import { TakePanel } from '../../features/review/TakePanel.tsx';
import { MessageForm, Thread } from '../../features/review/Thread.tsx';
import { VerdictForm } from '../../features/review/VerdictForm.tsx';
import { webhookModelWords } from '../../features/integration/webhookModelWords.ts';
import { ReviewedEndpoints } from '../../features/webhook-tests/ReviewedEndpoints.tsx';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { PageHeading } from '../../ui/layout/PageHeading.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';

/** One submission, with everything that a reviewer needs for a decision. */
export function Component() {
  const { id = '' } = useParams();
  const [result, read] = usePolledQuery({
    query: submissionQuery,
    variables: { id },
    // The owner answers and colleagues decide elsewhere, so the page has to poll.
    whileTrue: ({ submission }) => submission.status === 'submitted',
    every: 10_000,
  });
  const reread = () => read({ requestPolicy: 'network-only' });
  return (
    <Loaded result={result} onRetry={reread}>
      {({ submission, currentTerms }) => <Review submission={submission} currentTerms={currentTerms.version} reread={reread} />}
    </Loaded>
  );
}

type ReviewProps = { submission: SubmissionInReview; currentTerms: number; reread: () => void };

function Review({ submission, currentTerms, reread }: ReviewProps) {
  const [, askQuestion] = useMutation(askQuestionMutation);
  const badge = submissionStatusWords[submission.status];
  const open = submission.status === 'submitted';
  const mayWork = open && (submission.mine || !submission.taken);
  return (
    <Stack gap="lg">
      <PageHeading
        title={submission.profile.publicName}
        documentTitle={`Review: ${submission.profile.publicName}`}
        lead={`Submission ${submission.number}, slug ${submission.slug}`}
        marks={<StatusBadge tone={badge.tone}>{badge.word}</StatusBadge>}
      />
      {open && <TakePanel submission={submission} onChanged={reread} />}
      <Panel title="What was submitted">
        <Stack gap="md">
          {submission.decisionNotes && <Words label={notesLabel(submission)} text={submission.decisionNotes} />}
          <SubmissionFacts submission={submission} {...(open && { currentTerms })} />
        </Stack>
      </Panel>
      <Changes submission={submission} />
      <ProfilePanel profile={submission.profile} lead={submission.profile.publicDescription}>
        {submission.profile.logo && (
          <img src={submission.profile.logo.url256} alt="Logo" width={128} height={128} style={{ marginTop: '1rem' }} />
        )}
      </ProfilePanel>
      <Panel title="Observed in the sandbox" lead="Counted by the service from the first request until now.">
        <EvidenceList evidence={submission.evidence} />
      </Panel>
      <Panel
        title="Webhooks"
        lead={`Planned: ${webhookModelWords[submission.profile.webhookModel]}. The endpoints are shown as they are now.`}
      >
        <ReviewedEndpoints endpoints={submission.webhookEndpoints} />
      </Panel>
      <Panel title="Business model">
        <Title order={3}>Agreements</Title>
        <AgreementTable agreements={submission.commercialAgreements} />
        <Title order={3} mt="md">
          Reported changes
        </Title>
        <ReportTable reports={submission.businessModelReports} />
      </Panel>
      <Panel title="Checklist" lead={mayWork ? 'Give a verdict on each item. The owner sees them with the decision.' : undefined}>
        <Checklist items={submission.checklist} forReviewers>
          {(item) => mayWork && <VerdictForm submissionId={submission.id} item={item} onGiven={reread} />}
        </Checklist>
      </Panel>
      <Panel title="Questions and answers" lead={questionWords(submission)}>
        <Thread messages={submission.messages} reader="reviewer" />
        {mayWork && (
          <MessageForm
            label="Ask the owner"
            description="We email the owner, who answers here. Until then, the submission waits for the owner."
            button="Send question"
            send={(body) => askQuestion({ input: { submissionId: submission.id, body } })}
            onSent={reread}
          />
        )}
      </Panel>
      {mayWork && <DecisionPanel submission={submission} onChanged={reread} />}
      <EarlierSubmissions submissions={submission.earlierSubmissions} reader="reviewer" />
    </Stack>
  );
}

function Changes({ submission: { comparedWith, changes } }: { submission: SubmissionInReview }) {
  if (comparedWith === null) return null;
  return (
    <Panel title="What changed" lead={`Compared with version ${comparedWith}, which reviewers last saw.`}>
      {changes.length === 0 ? <Text>The profile has not changed.</Text> : <ChangeList changes={changes} />}
    </Panel>
  );
}

function questionWords({ status, waitingFor, messages }: SubmissionInReview): string | undefined {
  if (messages.length === 0) return 'No questions were asked.';
  return status === 'submitted' && waitingFor === 'operator' ? 'Waiting for the owner’s answer.' : undefined;
}

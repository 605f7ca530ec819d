import { Stack, Text, Title } from '@mantine/core';
import { submissionFacts } from '../../../../server/domain/review/submissionFacts.ts';
import { AgreementTable } from '../business-model/AgreementTable.tsx';
import { ReportTable } from '../business-model/ReportTable.tsx';
import { ProfilePanel } from '../integration/ProfilePanel.tsx';
import { webhookModelWords } from '../integration/webhookModelWords.ts';
import { ChangeList } from '../profile/ChangeList.tsx';
import { EvidenceList } from '../review-evidence/EvidenceList.tsx';
import { ReviewedEndpoints } from '../webhook-tests/ReviewedEndpoints.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Words } from '../review/Checklist.tsx';
import { EarlierSubmissions } from '../review/EarlierSubmissions.tsx';
import { ChecksPanel } from './ChecksPanel.tsx';
import { LinkList } from './LinkList.tsx';
import type { SubmissionInReview } from '../review/reviewQueries.ts';
import { notesLabel } from '../review/reviewWords.ts';
import { SubmissionFacts } from '../review/SubmissionFacts.tsx';
import type { Visit } from './useVisit.ts';

type ClaimsProps = { submission: SubmissionInReview; currentTerms: number; visit: Visit; onChecked: () => void };

/** What the owner claims, what has changed since the last review, and what the service has observed. */
export function Claims({ submission, currentTerms, visit, onChecked }: ClaimsProps) {
  const { profile, comparedWith, changes, status } = submission;
  return (
    <Stack gap="md">
      {submission.decisionNotes && <Words label={notesLabel(submission)} text={submission.decisionNotes} />}
      {comparedWith !== null && (
        <Panel title="What changed" lead={`Compared with version ${comparedWith}, which reviewers last saw.`}>
          {changes.length === 0 ? <Text>The profile has not changed.</Text> : <ChangeList changes={changes} />}
        </Panel>
      )}
      <ChecksPanel submission={submission} onChecked={onChecked} />
      <Panel title="Links" lead="Links that you open from here are marked, for you alone.">
        <LinkList submission={submission} visit={visit} />
      </Panel>
      <Panel title="What was submitted">
        <SubmissionFacts submission={submission} {...(submissionFacts[status].isOpen && { currentTerms })} />
      </Panel>
      <ProfilePanel profile={profile} lead={profile.publicDescription}>
        {profile.logo && <img src={profile.logo.url256} alt="Logo" width={96} height={96} />}
      </ProfilePanel>
      <Panel title="Observed in the sandbox" lead="Counted by the service from the first request until now.">
        <EvidenceList evidence={submission.evidence} />
      </Panel>
      <Panel title="Webhooks" lead={`Planned: ${webhookModelWords[profile.webhookModel]}. The endpoints are shown as they are now.`}>
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
      <EarlierSubmissions submissions={submission.earlierSubmissions} reader="reviewer" />
    </Stack>
  );
}

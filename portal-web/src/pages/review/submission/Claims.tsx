import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { IconCheck, IconExternalLink } from '@tabler/icons-react';
import { useState } from 'react';
import { useMutation } from 'urql';
import { webhookEndpointFacts } from '../../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { submissionFacts } from '../../../../../server/domain/review/submissionFacts.ts';
import { AgreementTable } from '../../../features/business-model/AgreementTable.tsx';
import { ReportTable } from '../../../features/business-model/ReportTable.tsx';
import { ProfilePanel } from '../../../features/integration/ProfilePanel.tsx';
import { webhookModelWords } from '../../../features/integration/webhookModelWords.ts';
import { ChangeList } from '../../../features/profile/ChangeList.tsx';
import { EvidenceList } from '../../../features/review-evidence/EvidenceList.tsx';
import type { Check } from '../../../features/review/checkFragment.ts';
import { Words } from '../../../features/review/Checklist.tsx';
import { checkBadge, countWords } from '../../../features/review/checkWords.ts';
import { EarlierSubmissions } from '../../../features/review/EarlierSubmissions.tsx';
import { checkSubmittedPagesMutation } from '../../../features/review/reviewMutations.ts';
import type { SubmissionInReview } from '../../../features/review/reviewQueries.ts';
import { notesLabel } from '../../../features/review/reviewWords.ts';
import { SubmissionFacts } from '../../../features/review/SubmissionFacts.tsx';
import { CheckVerdict } from '../../../features/webhook-tests/CheckVerdict.tsx';
import { ProbeTable } from '../../../features/webhook-tests/ProbeTable.tsx';
import type { reviewedEndpointFragment } from '../../../features/webhook-tests/testQueries.ts';
import { boundedCount } from '../../../features/webhooks/boundedCount.ts';
import { eventTypeName, payloadModeWords } from '../../../features/webhooks/webhookWords.ts';
import { describeError } from '../../../graphql/describeError.ts';
import type { ResultOf } from '../../../graphql/graphql.ts';
import { Fold } from '../../../ui/layout/Fold.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { Address } from '../../../ui/values/Address.tsx';
import { EnvironmentTag } from '../../../ui/values/EnvironmentTag.tsx';
import { Facts } from '../../../ui/values/Facts.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';
import classes from './sitting.module.css';
import type { ReviewedLink, Visit } from './useVisit.ts';

type ClaimsProps = { submission: SubmissionInReview; currentTerms: number; visit: Visit; onChecked: () => void };

/** What the owner claims, what has changed since the last review, and what the service has observed. */
export function Claims({ submission, currentTerms, visit, onChecked }: ClaimsProps) {
  const { profile, comparedWith, changes, status } = submission;
  const accepted = submission.checks.some(({ check, outcome }) => check === 'terms' && outcome === 'passed');
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
        <SubmissionFacts
          submission={submission}
          {...(submissionFacts[status].isOpen && { currentTerms: { version: currentTerms, accepted } })}
        />
      </Panel>
      <ProfilePanel profile={profile} endpoints={submission.webhookEndpoints.length}>
        {profile.logo && <img src={profile.logo.url256} alt="Logo" width={96} height={96} className={classes.logo} />}
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

type ReviewedEndpoint = ResultOf<typeof reviewedEndpointFragment>;

/** An integration’s endpoints as evidence: the payload, whether deliveries arrive, and the last check of each receiver. Addresses are left out. */
function ReviewedEndpoints({ endpoints }: { endpoints: readonly ReviewedEndpoint[] }) {
  if (endpoints.length === 0) return <EmptyState kind="nothingYet" title="The integration has no endpoint." />;
  return (
    <Stack gap="lg">
      {endpoints.map((endpoint, index) => (
        <article key={`${endpoint.environment} ${index + 1}`} aria-label={`Endpoint ${index + 1}`}>
          <Group gap="xs">
            <StateBadge endpoint={endpoint} />
            <EnvironmentTag environment={endpoint.environment} />
            <CheckBadge check={endpoint.receiverCheck} />
          </Group>
          <Facts facts={factsOf(endpoint)} />
          {endpoint.receiverCheck && endpoint.receiverCheck.probes.length > 0 && (
            <Fold summary="Each request of the receiver check">
              <ProbeTable probes={endpoint.receiverCheck.probes} />
            </Fold>
          )}
        </article>
      ))}
    </Stack>
  );
}

/** One mark: an endpoint that fails is not shown as active. */
function StateBadge({ endpoint: { status, health } }: { endpoint: ReviewedEndpoint }) {
  if (webhookEndpointFacts[status].receives === 'yes' && health.failingSince) return <StatusBadge tone="bad">Failing</StatusBadge>;
  return <StatusBadge tone={webhookEndpointFacts[status].tone}>{webhookEndpointFacts[status].word}</StatusBadge>;
}

function CheckBadge({ check }: { check: ReviewedEndpoint['receiverCheck'] }) {
  if (!check || check.probedAt === null) return <StatusBadge tone="neutral">Receiver not checked</StatusBadge>;
  return (
    <>
      <CheckVerdict check={check} />
      <Text size="sm" c="dimmed">
        checked <Time value={check.probedAt} />
      </Text>
    </>
  );
}

function factsOf({ payloadMode, eventTypes, provenAt, health }: ReviewedEndpoint) {
  const { lastSuccessAt, failingSince, waiting, held, dead } = health;
  return [
    ['Payload', payloadModeWords[payloadMode].word],
    ['Event types', eventTypes.map(eventTypeName).join(', ')],
    ['Proven', provenAt ? <Time key="proven" value={provenAt} /> : 'Not yet'],
    ['Last success', lastSuccessAt ? <Time key="success" value={lastSuccessAt} /> : 'None yet'],
    ['Failing since', failingSince ? <Time key="failing" value={failingSince} /> : 'Not failing'],
    ['Deliveries', `${boundedCount(waiting)} waiting, ${boundedCount(held)} held, ${boundedCount(dead)} dead letters`],
  ] as const;
}

/** Everything that the service has found out by itself about a submission, and a button to look again. */
function ChecksPanel({
  submission: { id: submissionId, status, checks },
  onChecked,
}: {
  submission: SubmissionInReview;
  onChecked: () => void;
}) {
  const [{ fetching }, check] = useMutation(checkSubmittedPagesMutation);
  const [problem, setProblem] = useState<string | null>(null);
  if (checks.length === 0) return null;
  const { isOpen } = submissionFacts[status];

  async function checkAgain() {
    const { error } = await check({ input: { submissionId } });
    setProblem(error ? describeError(error).message : null);
    onChecked();
  }

  return (
    <Panel title="Checked by the service" lead={isOpen ? undefined : 'As of the decision.'}>
      {problem && <ErrorMessage message={problem} />}
      <div className={classes.assignment}>
        <Text size="sm" role="status">
          {countWords(checks)}.
        </Text>
        {isOpen && (
          <Button
            variant="default"
            size="xs"
            loading={fetching || checks.some(({ checking }) => checking)}
            onClick={() => void checkAgain()}
          >
            Check again
          </Button>
        )}
      </div>
      <CheckList checks={checks} label="Checks by the service" />
    </Panel>
  );
}

/** What the service has found out by itself, and when: what has failed first, what has passed last. */
export function CheckList({ checks, label }: { checks: readonly Check[]; label: string }) {
  return (
    <ul className={classes.checks} aria-label={label}>
      {checks
        .toSorted((one, other) => outcomes.indexOf(one.outcome) - outcomes.indexOf(other.outcome))
        .map((check) => (
          <li key={check.check}>
            <StatusBadge tone={checkBadge(check).tone}>{checkBadge(check).word}</StatusBadge>
            <div>
              <strong>{check.title}</strong> {check.found}
              {check.checkedAt !== null && (
                <span className={classes.when}>
                  {' '}
                  Checked <Time value={check.checkedAt} />.
                </span>
              )}
            </div>
          </li>
        ))}
    </ul>
  );
}

const outcomes = ['failed', 'unknown', 'passed'] as const;

type LinkListProps = { submission: SubmissionInReview; visit: Visit; only?: readonly ReviewedLink[] };

/** The links of a submission, all or `only` some, with a mark on those that the reviewer has opened. */
export function LinkList({ submission, visit, only }: LinkListProps) {
  const links = linksOf(submission).filter(({ link }) => only?.includes(link) ?? true);
  return (
    <ul className={classes.links}>
      {links.map(({ link, name, url }) => (
        <li key={link}>
          <Anchor href={url} inherit target="_blank" rel="noopener noreferrer" onClick={() => visit.follow(link)}>
            {name} <IconExternalLink size={14} aria-hidden />
          </Anchor>
          {visit.followed.includes(link) && (
            <span className={classes.opened}>
              <IconCheck size={14} aria-hidden /> Opened
            </span>
          )}
          <span className={classes.url}>
            <Address value={url} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const words: Record<ReviewedLink, string> = {
  reviewUrl: 'Review address',
  orderLinkingUrl: 'Linking page',
  privacyPolicyUrl: 'Privacy policy',
  termsOfServiceUrl: 'Terms of service',
  websiteUrl: 'Website',
  donationUrl: 'Donations',
};

/** The links of a submission, each with its name, in the order in which a reviewer follows them. */
function linksOf({ reviewUrl, profile }: Pick<SubmissionInReview, 'reviewUrl' | 'profile'>) {
  const urls = { ...profile, reviewUrl };
  return (Object.keys(words) as ReviewedLink[]).flatMap((link) => {
    const url = urls[link];
    return url ? [{ link, name: words[link], url }] : [];
  });
}

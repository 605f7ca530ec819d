import { Stack } from '@mantine/core';
import { useEffect } from 'react';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { ActivationPanel } from '../../features/production/ActivationPanel.tsx';
import { ProductionGatePanel } from '../../features/production/ProductionGatePanel.tsx';
import { EarlierSubmissions } from '../../features/review/EarlierSubmissions.tsx';
import { EvidenceList } from '../../features/review-evidence/EvidenceList.tsx';
import { ObstaclePanel } from '../../features/review/ObstaclePanel.tsx';
import { OwnSubmissionPanel } from '../../features/review/OwnSubmissionPanel.tsx';
import { ownSubmissionsQuery } from '../../features/review/reviewQueries.ts';
import { SubmitPanel } from '../../features/review/SubmitPanel.tsx';
import { useQuery } from 'urql';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { Panel } from '../../ui/layout/Panel.tsx';

/** The way to production: the checklist and the submission, the review, and what follows an approval. */
export function Component() {
  const { integration, reread } = useIntegration();
  const { slug, status } = integration;
  const [result, read] = usePolledQuery({
    query: ownSubmissionsQuery,
    variables: { slug, after: null },
    // Reviewers decide and ask questions elsewhere, so the page has to poll.
    whileTrue: ({ ownSubmissions }) => ownSubmissions.edges[0]?.node.status === 'submitted',
    every: 10_000,
  });
  const submissionStatus = result.data?.ownSubmissions.edges[0]?.node.status;
  useEffect(() => {
    // A decision has been made. The heading and the panels below depend on the integration's own status, so it is read again.
    if (status === 'submitted' && submissionStatus !== undefined && submissionStatus !== 'submitted') reread();
  }, [status, submissionStatus, reread]);
  const readAgain = () => {
    read({ requestPolicy: 'network-only' });
    reread();
  };
  return (
    <Loaded result={result} onRetry={readAgain}>
      {({ ownSubmissions, reviewChecklist, integration: { evidence } }) => {
        const latest = ownSubmissions.edges[0]?.node;
        const { obstacles } = ownSubmissions;
        const maySubmit = status === 'sandbox' || status === 'rejected';
        return (
          <Stack gap="lg">
            <ActivationPanel integration={integration} onActivated={reread} />
            <ProductionGatePanel integration={integration} />
            {latest && <OwnSubmissionPanel submission={latest} name={integration.profile.publicName} onChanged={readAgain} />}
            {maySubmit && obstacles.length > 0 && <ObstaclePanel obstacles={obstacles} slug={slug} />}
            {maySubmit && obstacles.length === 0 && (
              <SubmitPanel integration={integration} checklist={reviewChecklist} last={latest ?? null} onChanged={readAgain} />
            )}
            <Panel
              title="Observed in your sandbox"
              lead="What the service has observed your back end do. Reviewers see the same list; none of it is required to submit."
            >
              <EvidenceList evidence={evidence} />
            </Panel>
            <EarlierSubmissionPages slug={slug} latest={latest?.id ?? null} />
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** The submissions before the latest one, a page at a time. The panels above always show the latest. */
function EarlierSubmissionPages({ slug, latest }: { slug: string; latest: string | null }) {
  const place = usePlace('submissions');
  const [result, read] = useQuery({ query: ownSubmissionsQuery, variables: { slug, after: place.after } });
  return (
    <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ ownSubmissions }) => (
        <PagedList label="Submissions" place={place} page={ownSubmissions} none={null}>
          {(submissions) => <EarlierSubmissions submissions={submissions.filter(({ id }) => id !== latest)} reader="operator" />}
        </PagedList>
      )}
    </LoadedList>
  );
}

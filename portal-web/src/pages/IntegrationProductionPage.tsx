import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { useIntegration } from '../features/integration/useIntegration.ts';
import { EarlierRounds } from '../features/review/EarlierRounds.tsx';
import { ObstaclePanel } from '../features/review/ObstaclePanel.tsx';
import { OwnRoundPanel } from '../features/review/OwnRoundPanel.tsx';
import { ownSubmissionsQuery } from '../features/review/reviewQueries.ts';
import { SubmitPanel } from '../features/review/SubmitPanel.tsx';
import { usePolledQuery } from '../graphql/usePolledQuery.ts';
import { Loaded } from '../ui/Loaded.tsx';

/** The way to production: the checklist and the submission, the review, and what follows the approval. */
export function Component() {
  const { integration, reread } = useIntegration();
  const { slug, status } = integration;
  const [result, read] = usePolledQuery({
    query: ownSubmissionsQuery,
    variables: { slug, after: null },
    // A decision or a question comes from elsewhere; the page learns of it by asking.
    whileTrue: ({ ownSubmissions }) => ownSubmissions.edges[0]?.node.status === 'submitted',
    every: 10_000,
  });
  const readAgain = () => {
    read({ requestPolicy: 'network-only' });
    reread();
  };
  return (
    <Loaded result={result} onRetry={readAgain}>
      {({ ownSubmissions: { edges, obstacles, pageInfo }, reviewChecklist }) => {
        const [latest, ...earlier] = edges.map(({ node }) => node);
        const maySubmit = status === 'sandbox' || status === 'rejected';
        return (
          <Stack gap="lg">
            {latest && <OwnRoundPanel round={latest} onChanged={readAgain} />}
            {maySubmit && obstacles.length > 0 && <ObstaclePanel obstacles={obstacles} slug={slug} />}
            {maySubmit && obstacles.length === 0 && (
              <SubmitPanel integration={integration} checklist={reviewChecklist} last={latest ?? null} onSubmitted={readAgain} />
            )}
            <EarlierRounds rounds={earlier} reader="operator" />
            {pageInfo.hasNextPage && pageInfo.endCursor && <OlderRounds slug={slug} after={pageInfo.endCursor} />}
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** Rounds that do not fit on the first page, when they are asked for. */
function OlderRounds({ slug, after }: { slug: string; after: string }) {
  const [asked, setAsked] = useState(false);
  const [{ data }] = useQuery({ query: ownSubmissionsQuery, variables: { slug, after }, pause: !asked });
  const page = data?.ownSubmissions;
  if (!page) {
    return (
      <Button variant="default" w="fit-content" loading={asked} onClick={() => setAsked(true)}>
        Show older rounds
      </Button>
    );
  }
  return (
    <>
      <EarlierRounds rounds={page.edges.map(({ node }) => node)} reader="operator" />
      {page.pageInfo.hasNextPage && page.pageInfo.endCursor && <OlderRounds slug={slug} after={page.pageInfo.endCursor} />}
    </>
  );
}

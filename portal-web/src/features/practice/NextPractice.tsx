import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { graphql } from '../../graphql/graphql.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { useIntegrationPaths, useReadOnly } from '../integration/ownerView.ts';
import { useIntegration } from '../integration/useIntegration.ts';

const nextPracticeQuery = graphql(`
  query NextPractice($slug: String!) {
    integration(slug: $slug) {
      id
      evidence {
        kind
        title
        seen {
          firstAt
        }
      }
    }
  }
`);

/** The way back to what comes next of what the reviewers look for, while something has been seen and something has not. */
export function NextPractice() {
  const { slug, availableActions } = useIntegration().integration;
  const to = useIntegrationPaths();
  const practises = !useReadOnly() && availableActions.includes('submitForReview');
  const [{ data }] = usePolledQuery({
    query: nextPracticeQuery,
    variables: { slug },
    pause: !practises,
    whileTrue: ({ integration }) => integration.evidence.some(({ seen }) => !seen),
    every: 5000,
    context: fresh,
  });
  const evidence = data?.integration.evidence ?? [];
  const next = evidence.find(({ seen }) => !seen);
  if (!practises || !next || evidence.every(({ seen }) => !seen)) return null;
  return (
    <Text size="sm">
      Next on the overview:{' '}
      <Anchor component={Link} to={to.overview({ environment: 'sandbox' })} inherit>
        {next.title}
      </Anchor>
    </Text>
  );
}

const fresh = { requestPolicy: 'cache-and-network' } as const;

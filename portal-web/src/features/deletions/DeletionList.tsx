import { Stack } from '@mantine/core';
import { LoadedPages } from '../../ui/lists/LoadedPages.tsx';
import { useNow } from '../../ui/time/useNow.ts';
import type { Service } from '../integration/useIntegration.ts';
import { DeletionCard } from './DeletionCard.tsx';
import { revocationsQuery, type RevocationPage } from './revocationsQuery.ts';
import type { DeletionFilters } from './useDeletionFilters.ts';

export const pageSize = 20;

type DeletionListProps = { slug: string; filters: DeletionFilters; first: RevocationPage; service: Service };

/** The first page, and what was asked for behind it. */
export function DeletionList({ slug, filters, first, service }: DeletionListProps) {
  const now = useNow();
  const next = first.edges.find(({ node }) => new Date(node.deletionDeadlineAt) > now)?.node;
  return (
    <Stack gap="md">
      <LoadedPages
        list="deletions"
        first={first}
        query={revocationsQuery}
        variables={(after) => ({ slug, ...filters, first: pageSize, after })}
        pageIn={({ revocations }) => revocations}
      >
        {({ edges }) => edges.map(({ node }) => <DeletionCard key={node.id} revocation={node} service={service} open={node === next} />)}
      </LoadedPages>
    </Stack>
  );
}

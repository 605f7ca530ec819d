import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { useNow } from '../../ui/useNow.ts';
import type { Service } from '../integration/useIntegration.ts';
import { DeletionCard } from './DeletionCard.tsx';
import { revocationsQuery, type RevocationPage } from './revocationsQuery.ts';
import type { DeletionFilters } from './useDeletionFilters.ts';

export const pageSize = 20;

type DeletionListProps = { slug: string; filters: DeletionFilters; first: RevocationPage; service: Service };

/** The first page, and what was asked for behind it. */
export function DeletionList({ slug, filters, first, service }: DeletionListProps) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  const now = useNow();
  const next = first.edges.find(({ node }) => new Date(node.deletionDeadlineAt) > now)?.node;
  return (
    <Stack gap="md">
      {first.edges.map(({ node }) => (
        <DeletionCard key={node.id} revocation={node} service={service} open={node === next} />
      ))}
      {cursors.length === 0 && <LoadMore page={first} onMore={(cursor) => setCursors([cursor])} />}
      {cursors.map((after) => (
        <MoreDeletions
          key={after}
          {...{ slug, filters, service, after }}
          isLast={after === cursors.at(-1)}
          onMore={(cursor) => setCursors([...cursors, cursor])}
        />
      ))}
    </Stack>
  );
}

type MoreProps = Omit<DeletionListProps, 'first'> & { after: string; isLast: boolean; onMore: (cursor: string) => void };

function MoreDeletions({ slug, filters, service, after, isLast, onMore }: MoreProps) {
  const [{ data, fetching }] = useQuery({ query: revocationsQuery, variables: { slug, ...filters, first: pageSize, after } });
  if (!data)
    return <Text c="dimmed">{fetching ? 'Loading more …' : 'The next page could not be read. Reload this one and try again.'}</Text>;
  return (
    <>
      {data.revocations.edges.map(({ node }) => (
        <DeletionCard key={node.id} revocation={node} service={service} open={false} />
      ))}
      {isLast && <LoadMore page={data.revocations} onMore={onMore} />}
    </>
  );
}

function LoadMore({ page, onMore }: { page: RevocationPage; onMore: (cursor: string) => void }) {
  const { hasNextPage, endCursor } = page.pageInfo;
  if (!hasNextPage || !endCursor) return null;
  return (
    <Button variant="default" w="fit-content" onClick={() => onMore(endCursor)}>
      Load more
    </Button>
  );
}

import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import type { Place } from '../../ui/lists/usePlace.ts';
import { useNow } from '../../ui/time/useNow.ts';
import type { Service } from '../integration/useIntegration.ts';
import { DeletionCard } from './DeletionCard.tsx';
import type { RevocationPage } from './revocationsQuery.ts';

type DeletionListProps = { page: RevocationPage; place: Place; service: Service; none: ReactNode };

/** A page of the deletions, with the command of the one that is due next. */
export function DeletionList({ page, place, service, none }: DeletionListProps) {
  const now = useNow();
  const next = page.edges.find(({ node }) => new Date(node.deletionDeadlineAt) > now)?.node;
  return (
    <PagedList label="Deletions" {...{ page, place, none }}>
      {(revocations) => (
        <Stack gap="md">
          {revocations.map((revocation) => (
            <DeletionCard key={revocation.id} {...{ revocation, service }} open={revocation === next} />
          ))}
        </Stack>
      )}
    </PagedList>
  );
}

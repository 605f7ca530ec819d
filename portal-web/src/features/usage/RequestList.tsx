import { Button, Group, Text } from '@mantine/core';
import type { ResultOf } from '../../graphql/graphql.ts';
import classes from './RequestList.module.css';
import { RequestRow } from './RequestRow.tsx';
import type { requestsQuery } from './usageQueries.ts';
import type { RequestFilters } from './useRequestFilters.ts';

type RequestListProps = {
  page: ResultOf<typeof requestsQuery>['requests'];
  certificatesPath: string | null;
  filters: RequestFilters;
  onChange: (changes: Partial<RequestFilters>) => void;
};

/** A page of requests, newest first, with the ways to older and back to the newest ones. */
export function RequestList({ page: { edges, pageInfo }, certificatesPath, filters, onChange }: RequestListProps) {
  return (
    <>
      {filters.after && (
        <Text size="sm" c="dimmed" mb="xs">
          Older requests. This page does not change while new requests come in.
        </Text>
      )}
      <ul className={classes.list} aria-label="Requests">
        {edges.map(({ node }) => (
          // The one that was searched for is what the reader wants to know about.
          <RequestRow key={node.id} request={node} certificatesPath={certificatesPath} open={node.id === filters.requestId} />
        ))}
      </ul>
      <Group gap="sm" mt="md">
        {filters.after && (
          <Button variant="default" onClick={() => onChange({ after: '' })}>
            Newest requests
          </Button>
        )}
        {pageInfo.hasNextPage && pageInfo.endCursor && (
          <Button variant="default" onClick={() => onChange({ after: pageInfo.endCursor ?? '' })}>
            Older requests
          </Button>
        )}
      </Group>
    </>
  );
}

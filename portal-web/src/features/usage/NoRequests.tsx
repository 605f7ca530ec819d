import { Button, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import type { RequestFilters } from './useRequestFilters.ts';

/** Explains an empty list. `none` is shown if there are no requests at all. */
export function NoRequests({ filters, onClear, none }: { filters: RequestFilters; onClear: () => void; none: ReactNode }) {
  const { requestId, answer, operation } = filters;
  if (!requestId && !answer && !operation) return none;
  return (
    <Stack gap="sm" align="flex-start">
      <Text>
        {requestId
          ? 'This client has no request with this ID. Requests are kept for 7 days; those made without one of our certificates are not logged.'
          : 'No requests in the last 7 days match these filters.'}
      </Text>
      <Button variant="default" onClick={onClear}>
        Show all requests
      </Button>
    </Stack>
  );
}

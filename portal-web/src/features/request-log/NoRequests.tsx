import { Button } from '@mantine/core';
import { EmptyState } from '../../ui/states/EmptyState.tsx';

/** Explains a log that is empty because of its filters. */
export function NoRequests({ onClear }: { onClear: () => void }) {
  return (
    <EmptyState
      kind="nothingFits"
      title="No requests in the last 7 days fit these filters."
      action={
        <Button variant="default" onClick={onClear}>
          Show all requests
        </Button>
      }
    />
  );
}

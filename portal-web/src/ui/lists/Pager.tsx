import { Button, Group } from '@mantine/core';

type PagerProps = {
  page: { hasNextPage: boolean; endCursor: string | null };
  /** The cursor that the list begins after; '' at its beginning. */
  after: string;
  onAfter: (after: string) => void;
};

/** The ways on through a list, and back to its beginning. */
export function Pager({ page: { hasNextPage, endCursor }, after, onAfter }: PagerProps) {
  if (!after && !hasNextPage) return null;
  return (
    <Group gap="sm" mt="md">
      {after && (
        <Button variant="default" onClick={() => onAfter('')}>
          Back to the first page
        </Button>
      )}
      {hasNextPage && endCursor && (
        <Button variant="default" onClick={() => onAfter(endCursor)}>
          Next page
        </Button>
      )}
    </Group>
  );
}

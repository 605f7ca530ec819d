import { Text } from '@mantine/core';
import { useQuery } from 'urql';
import { reviewTimesQuery } from './reviewQueries.ts';
import { reviewTimesWords } from './reviewTimesWords.ts';

/** How long reviews take, by what they took lately. */
export function ReviewTimes() {
  const [{ data }] = useQuery({ query: reviewTimesQuery });
  return (
    <Text size="sm" c="dimmed" mih="1.5em">
      {data && reviewTimesWords(data.reviewTimes)}
    </Text>
  );
}

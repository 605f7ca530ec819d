import { Text } from '@mantine/core';
import { useQuery } from 'urql';
import { reviewTimesQuery } from './reviewQueries.ts';
import { reviewTimesWords } from './reviewTimesWords.ts';

/** How long reviews take, according to recent decisions. */
export function ReviewTimes() {
  const [{ data }] = useQuery({ query: reviewTimesQuery });
  return (
    // Reserves the lines that the words will need, so that what is below does not move.
    <Text size="sm" c="dimmed" mih={{ base: '4.35em', sm: '2.9em' }}>
      {data && reviewTimesWords(data.reviewTimes)}
    </Text>
  );
}

import { Text } from '@mantine/core';
import { useQuery } from 'urql';
import { reviewTimesQuery } from './reviewQueries.ts';
import { reviewTimesWords } from './reviewTimesWords.ts';

/** How long reviews take, by what they took lately. */
export function ReviewTimes() {
  const [{ data }] = useQuery({ query: reviewTimesQuery });
  return (
    // Holds the lines that the words will take, so that what is below stays where it is.
    <Text size="sm" c="dimmed" mih={{ base: '4.35em', sm: '2.9em' }}>
      {data && reviewTimesWords(data.reviewTimes)}
    </Text>
  );
}

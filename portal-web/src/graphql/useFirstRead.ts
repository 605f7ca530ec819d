import { useState } from 'react';
import type { UseQueryState } from 'urql';

/**
 * Whether each of the queries has had an answer, so that a page can show all its panels at once: panels that appeared one by one would push
 * each other down. Stays true, so that no form is lost when a query is read again.
 */
export function useFirstRead(...results: readonly Pick<UseQueryState, 'data' | 'error'>[]): boolean {
  const [read, setRead] = useState(false);
  const answered = read || results.every(({ data, error }) => data !== undefined || error !== undefined);
  if (answered !== read) setRead(answered);
  return answered;
}

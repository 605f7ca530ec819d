import { useQuery, type UseQueryResponse } from 'urql';
import { frameQuery } from './frameQuery.ts';
import type { ResultOf } from './graphql.ts';
import { useLastData } from './usePolledQuery.ts';

/** What the frame of every page has read. It is read again every minute, and stays where that fails. */
export function useFrame(): UseQueryResponse<ResultOf<typeof frameQuery>> {
  const [result, read] = useQuery({ query: frameQuery });
  return [useLastData(result), read];
}

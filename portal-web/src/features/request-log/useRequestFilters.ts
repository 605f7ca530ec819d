import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';
import { filterNames, meaningful, type RequestFilters } from './requestFilters.ts';

/** The filters of the request log. What the address says and no filter means is left out. */
export function useRequestFilters(): [RequestFilters, (changes: Partial<RequestFilters>) => void] {
  const [given, change] = useUrlFilters(filterNames);
  return [meaningful(given), change];
}

import { useUrlFilters } from '../../ui/lists/useUrlFilters.ts';
import type { AttemptPeriod } from './attemptPeriod.ts';

/** How far back an endpoint’s history goes, kept in its page’s address. */
export function useAttemptPeriod(): [AttemptPeriod, (period: AttemptPeriod) => void] {
  const [{ period }, change] = useUrlFilters(['period'], null);
  return [period === 'week' ? 'week' : 'day', (wanted) => change({ period: wanted === 'week' ? 'week' : '' })];
}

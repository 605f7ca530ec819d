import type { ResultOf } from '../../graphql/graphql.ts';
import { counted } from '../../ui/text/counted.ts';
import type { firstRecordQuery } from './firstCallQueries.ts';

type Sync = ResultOf<typeof firstRecordQuery>;

/** Whether a sync has been answered and nothing is left for the next one. */
export function hasReadAll({ sandboxNextSync: { fromBeginning, total } }: Sync): boolean {
  return !fromBeginning && total === 0;
}

/** What a sync brings now and, once the first page has been read, how to ask for the next one. */
export function recordsWords(sync: Sync): string {
  const {
    sandbox: { orders, vehicles },
    sandboxNextSync: { fromBeginning, total, tombstones },
  } = sync;
  const shared = [orders > 0 && counted(orders, 'order'), vehicles > 0 && counted(vehicles, 'stock vehicle')].filter(Boolean).join(' and ');
  if (hasReadAll(sync)) return `your back end has read everything in /v1/sync${shared && `: ${shared}`}`;
  if (total === 0) return 'your test data is being generated';
  if (fromBeginning) {
    return shared ? `${shared} ${waits(orders + vehicles)} in /v1/sync` : `${counted(total, 'record')} ${waits(total)} in /v1/sync`;
  }
  const more = `${counted(total, 'more record')}${amongThem(total, tombstones)} ${waits(total)}`;
  return `your back end has synced. ${more}: sync again, with \`next_cursor\` as \`updated_since\`.`;
}

function amongThem(total: number, tombstones: number): string {
  if (tombstones === 0) return '';
  if (total === 1) return ', a tombstone,';
  return `, ${tombstones.toLocaleString('en')} of them ${tombstones === 1 ? 'a tombstone' : 'tombstones'},`;
}

function waits(count: number): string {
  return count === 1 ? 'waits' : 'wait';
}

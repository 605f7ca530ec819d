import { counted } from '../../../ui/text/counted.ts';
import type { NextSync } from './nextSyncQuery.ts';

type SyncRecord = NextSync['records'][number];

/** How many records the next sync brings, in a sentence. */
export function nextSyncWords({
  fromBeginning,
  lastSyncAt,
  total,
  tombstones,
}: Pick<NextSync, 'fromBeginning' | 'lastSyncAt' | 'total' | 'tombstones'>): string {
  const of =
    tombstones > 0 && tombstones < total
      ? `, ${tombstones.toLocaleString('en')} of them ${tombstones === 1 ? 'a tombstone' : 'tombstones'}`
      : '';
  const records = `${counted(total, 'record')}${of}`;
  if (fromBeginning && lastSyncAt)
    return `The feed has started over, so your stored cursor is refused with 400 invalid_cursor. A recovery sync brings all ${records}.`;
  if (fromBeginning) return `Your client has not synced yet. The first sync brings all ${records}.`;
  return total === 0 ? 'Nothing new since your last sync.' : `${counted(total, 'record')} since your last sync${of}.`;
}

/** One record as the next sync brings it. */
export function syncRecordWords({ kind, resourceId, connectionId, revision, status, revocationId }: SyncRecord): string {
  if (kind === 'upsert') return `Upsert of ${resourceId} at revision ${revision}${status ? `: ${status}` : ''}`;
  return `Tombstone for ${resourceId ?? connectionId} with revocation ${revocationId}`;
}

import type { corpusFacts } from '../../../../../server/domain/sandbox/corpusFacts.ts';
import { orderStatusFacts, type TrackedStatusFacts, vehicleStatusFacts } from '../../../../../server/domain/tracking/statusFacts.ts';
import { counted } from '../../../ui/text/counted.ts';
import { capital } from '../../../../../server/domain/shared/text/firstLetter.ts';
import type { StatusTone } from '../../../ui/values/statusTone.ts';
import type { NextSync, SandboxResource } from './sandboxQueries.ts';

const factsOf: Readonly<Record<SandboxResource['type'], Readonly<Record<string, TrackedStatusFacts>>>> = {
  order: orderStatusFacts,
  vehicle: vehicleStatusFacts,
};

/** The statuses of a type, in their usual order. */
export const statusesOf = (type: SandboxResource['type']): string[] => Object.keys(factsOf[type]);

const meaningOf = ({ type, status }: SandboxResource): TrackedStatusFacts | undefined => factsOf[type][status ?? ''];

/** A status as people say it: “at delivery centre” for `at_delivery_centre`, which is what the API says. */
export const statusWords = (status: string): string => status.replaceAll('_', ' ');

/** How a resource's status is shown. */
export function statusBadge(resource: SandboxResource): { tone: StatusTone; word: string } {
  const { status, revoked } = resource;
  if (revoked) return { tone: 'stopped', word: 'Revoked' };
  if (status === null) return { tone: 'neutral', word: 'Not in your scopes' };
  return { tone: meaningOf(resource)?.tone ?? 'neutral', word: capital(statusWords(status)) };
}

/** What the simulator can do with a resource now. A shipping event needs a scope that covers shipping. */
export function possibleSteps(resource: SandboxResource, scopes: readonly string[]) {
  const { revoked, onVoyage } = resource;
  const live = !revoked;
  const meaning = meaningOf(resource);
  return {
    advance: live && meaning?.isOver !== true,
    end: live && meaning?.mayEnd === true,
    ship: onVoyage && scopes.includes('shipping.read'),
    revoke: live,
  };
}

type Contents = {
  readonly orders: number;
  readonly vehicles: number;
  readonly connections: number;
  readonly grantableScopes: readonly string[];
};

/** What a sandbox contains, as in "500 orders and 50 stock vehicles in 300 connections". */
export function contentsWords({ orders, vehicles, connections, grantableScopes }: Contents): string {
  const types = [
    ...(grantableScopes.includes('orders.read') || orders > 0 ? [counted(orders, 'order')] : []),
    ...(grantableScopes.includes('vehicles.read') || vehicles > 0 ? [counted(vehicles, 'stock vehicle')] : []),
  ];
  if (types.length > 0) return `${types.join(' and ')} in ${counted(connections, 'connection')}`;
  return 'No individual data: the scopes cover neither orders nor stock vehicles';
}

/** What is being generated, as in "500 orders and 50 stock vehicles"; null if it is not known. */
export function plannedWords(planned: { readonly orders: number; readonly vehicles: number } | null): string | null {
  const { orders = 0, vehicles = 0 } = planned ?? {};
  const parts = [...(orders > 0 ? [counted(orders, 'order')] : []), ...(vehicles > 0 ? [counted(vehicles, 'stock vehicle')] : [])];
  return parts.length === 0 ? null : parts.join(' and ');
}

type CorpusStep = { readonly key: string; readonly state: 'done' | 'working'; readonly words: string };

/** How far test data is that is not ready yet. */
export function corpusSteps(state: keyof typeof corpusFacts, planned: string | null): readonly CorpusStep[] {
  if (state === 'queued') return [{ key: 'queued', state: 'working', words: 'Queued. It starts within a few seconds.' }];
  return [
    { key: 'queued', state: 'done', words: 'Queued.' },
    { key: 'building', state: 'working', words: `Building ${planned ?? 'the test data'}. Everything appears at once when it is ready.` },
  ];
}

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

/** What a record is about. */
export function subjectOf({ resourceId }: Pick<SyncRecord, 'resourceId'>): string {
  if (!resourceId) return 'Connection';
  return resourceId.startsWith('veh_') ? 'Stock vehicle' : 'Order';
}

/** What the next sync says about a record, after its ID. */
export function syncRecordWords({ kind, revision, status }: SyncRecord): string {
  return kind === 'upsert' ? [status && statusWords(status), `revision ${revision}`].filter(Boolean).join(' · ') : 'tombstone';
}

/** How many resources are listed. The revoked ones are in the list as they are in a sync, but no longer in what the sandbox contains. */
export function listedWords({ totalCount, revokedCount }: { totalCount: number; revokedCount: number }): string {
  const some = revokedCount > 0 && `${revokedCount.toLocaleString('en')} of them revoked`;
  const revoked = revokedCount === totalCount && totalCount > 0 ? 'revoked' : some;
  return [counted(totalCount, 'resource'), revoked].filter(Boolean).join(', ');
}

/** Where a resource on a later page of the list has gone after a change. */
export function movedWords(id: string, filtered: boolean): string {
  return `${id} has changed and has moved to the first page${filtered ? ', if it still matches the filters' : ''}.`;
}

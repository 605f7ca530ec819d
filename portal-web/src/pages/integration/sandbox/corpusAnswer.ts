import type { corpusFacts } from '../../../../../server/domain/sandbox/corpusFacts.ts';
import { counted } from '../../../ui/text/counted.ts';

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
  if (state === 'queued') return [{ key: 'queued', state: 'working', words: 'It is queued, and begins within a few seconds.' }];
  return [
    { key: 'queued', state: 'done', words: 'It was queued.' },
    { key: 'building', state: 'working', words: `Building ${planned ?? 'the test data'}. Everything appears at once when it is ready.` },
  ];
}

import { limits } from '../../shared/limits.ts';
import { readScopes, type Scope } from '../../shared/scopes.ts';
import type { ResourceData, ResourceType } from '../../tracking/allowlist.ts';
import type { Change } from '../../tracking/diff.ts';

const types = ['order', 'vehicle'] as const satisfies readonly ResourceType[];

/** What a corpus contains: how many resources of each type, and whether there is a statistics generation. */
export type CorpusContents = { readonly orders: number; readonly vehicles: number; readonly statistics: boolean };

/** What the corpus of a sandbox with these scopes contains (docs/specification.md, “Test data”). */
export function corpusContents(scopes: readonly Scope[]): CorpusContents {
  return {
    orders: scopes.includes(readScopes.order) ? limits.corpusOrders : 0,
    vehicles: scopes.includes(readScopes.vehicle) ? limits.corpusVehicles : 0,
    statistics: scopes.includes('statistics.orders.read'),
  };
}

/** The types that a sandbox with these scopes shares, which are those that it may read. */
export function sharedTypes(scopes: readonly Scope[]): ResourceType[] {
  return types.filter((type) => scopes.includes(readScopes[type]));
}

/** A fixture's data, as far as the scopes show it. Without shipping.read, an order has no voyage. */
export function allowedData<Data extends ResourceData[ResourceType]>(scopes: readonly Scope[], data: Data): Data {
  if (scopes.includes('shipping.read') || !('shipping' in data)) return data;
  const { shipping: _, ...rest } = data;
  return rest as Data;
}

/**
 * Whether a sandbox with these scopes keeps an item of a fixture's history. With the scope for histories, it keeps all of them. Otherwise
 * it keeps only the day of an order's delivery, and only if statistics are computed from it.
 */
export function keepsHistoryItem(scopes: readonly Scope[], type: ResourceType, changes: readonly Change[]): boolean {
  if (scopes.includes(type === 'order' ? 'orders.history.read' : 'vehicles.history.read')) return true;
  const delivered = changes.some(({ path, to }) => path === 'status' && to === 'delivered');
  return type === 'order' && scopes.includes('statistics.orders.read') && delivered;
}

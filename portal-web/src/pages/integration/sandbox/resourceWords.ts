import type { StatusTone } from '../../../ui/values/statusTone.ts';
import type { SandboxResource } from './sandboxQueries.ts';

/** The statuses of each type, in their usual order. */
export const statusesOf = {
  order: [
    'placed',
    'confirmed',
    'scheduled',
    'in_production',
    'built',
    'in_transit',
    'at_port',
    'at_delivery_centre',
    'delivered',
    'cancelled',
  ],
  vehicle: ['available', 'reserved', 'sold', 'withdrawn'],
} as const;

const ended = new Set(['delivered', 'cancelled', 'sold', 'withdrawn']);
const beforeProduction = new Set(['placed', 'confirmed', 'scheduled']);

/** How a resource's status is shown. */
export function statusBadge({ status, revoked }: SandboxResource): { tone: StatusTone; word: string } {
  if (revoked) return { tone: 'stopped', word: 'Revoked' };
  if (status === null) return { tone: 'neutral', word: 'Not in your scopes' };
  if (status === 'delivered' || status === 'sold') return { tone: 'good', word: status };
  return { tone: ended.has(status) ? 'stopped' : 'neutral', word: status };
}

/** What the simulator can do with a resource now. A shipping event needs a scope that covers shipping. */
export function possibleSteps({ type, status, revoked, onVoyage }: SandboxResource, scopes: readonly string[]) {
  const live = !revoked;
  return {
    advance: live && !(status !== null && ended.has(status)),
    end: live && status !== null && (type === 'order' ? beforeProduction.has(status) : status === 'available' || status === 'reserved'),
    ship: onVoyage && scopes.includes('shipping.read'),
    revoke: live,
  };
}

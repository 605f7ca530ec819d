import type { StatusTone } from '../../ui/StatusBadge.tsx';
import type { SandboxResource } from './sandboxQueries.ts';

/** The life of each type in its usual sequence. */
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

const ended: readonly string[] = ['delivered', 'cancelled', 'sold', 'withdrawn'];
const beforeProduction: readonly string[] = ['placed', 'confirmed', 'scheduled'];
const shipping: readonly string[] = ['in_transit', 'at_port'];

/** How a resource's status is shown. */
export function statusBadge({ status, revoked }: SandboxResource): { tone: StatusTone; word: string } {
  if (revoked) return { tone: 'stopped', word: 'revoked' };
  if (status === null) return { tone: 'neutral', word: 'not in your scopes' };
  if (status === 'delivered' || status === 'sold') return { tone: 'good', word: status };
  return { tone: ended.includes(status) ? 'stopped' : 'neutral', word: status };
}

/** What the simulator can do with a resource now. */
export function possibleSteps({ type, status, revoked }: SandboxResource) {
  const live = !revoked;
  return {
    advance: live && !(status !== null && ended.includes(status)),
    end:
      live && status !== null && (type === 'order' ? beforeProduction.includes(status) : status === 'available' || status === 'reserved'),
    ship: live && type === 'order' && status !== null && shipping.includes(status),
    revoke: live,
  };
}

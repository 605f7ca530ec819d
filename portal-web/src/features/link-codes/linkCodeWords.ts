import { counted } from '../../ui/text/counted.ts';
import type { StatusTone } from '../../ui/values/statusTone.ts';
import type { LinkCode } from '../sandbox/sandboxQueries.ts';

/** How each state of a link code is shown; the words are those of docs/specification.md, “Link codes”. */
export const linkCodeWords = {
  generated: { tone: 'waiting', word: 'Generated' },
  redeemed: { tone: 'good', word: 'Redeemed' },
  expired: { tone: 'stopped', word: 'Expired' },
  unusable: { tone: 'bad', word: 'Unusable' },
  cancelled: { tone: 'stopped', word: 'Cancelled' },
} as const satisfies Record<LinkCode['state'], { tone: StatusTone; word: string }>;

/** What a code shares, as in "3 orders and 1 stock vehicle". */
export function contentWords({ orders, vehicles }: Pick<LinkCode, 'orders' | 'vehicles'>): string {
  const parts = [...(orders > 0 ? [counted(orders, 'order')] : []), ...(vehicles > 0 ? [counted(vehicles, 'stock vehicle')] : [])];
  return parts.join(' and ');
}

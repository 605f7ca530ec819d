import { counted } from '../../../ui/text/counted.ts';
import type { LinkCode } from './sandboxQueries.ts';

/** What a code shares, as in "3 orders and 1 stock vehicle". */
export function contentWords({ orders, vehicles }: Pick<LinkCode, 'orders' | 'vehicles'>): string {
  const parts = [...(orders > 0 ? [counted(orders, 'order')] : []), ...(vehicles > 0 ? [counted(vehicles, 'stock vehicle')] : [])];
  return parts.join(' and ');
}

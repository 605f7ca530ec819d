import { counted } from '../../../ui/text/counted.ts';
import type { LinkCode } from './sandboxQueries.ts';

/** What a link code shares, and what its test user consents to. */
export type LinkCodeChoice = {
  readonly orders: number;
  readonly vehicles: number;
  readonly scopes: readonly string[];
  readonly statisticsOptedIn: boolean;
};

/**
 * The choice for the next code: that of the last one, as far as the scopes still allow it, or else two orders (one stock vehicle where
 * there are no orders) with every scope.
 */
export function nextChoice(last: LinkCodeChoice | undefined, grantable: readonly string[]): LinkCodeChoice {
  const scopes = last?.scopes.filter((scope) => grantable.includes(scope)) ?? grantable;
  const usable = (scope: string) => scopes.includes(scope);
  if (last && (last.orders === 0 || usable('orders.read')) && (last.vehicles === 0 || usable('vehicles.read'))) {
    const { orders, vehicles, statisticsOptedIn } = last;
    return { orders, vehicles, scopes, statisticsOptedIn: statisticsOptedIn && grantable.includes('statistics.orders.read') };
  }
  const ordered = grantable.includes('orders.read');
  return { orders: ordered ? 2 : 0, vehicles: ordered ? 0 : 1, scopes: grantable, statisticsOptedIn: false };
}

/** A choice in words, as in "2 orders, 3 of 5 scopes". */
export function choiceWords({ orders, vehicles, scopes }: LinkCodeChoice, grantable: readonly string[]): string {
  const parts = [...(orders > 0 ? [counted(orders, 'order')] : []), ...(vehicles > 0 ? [counted(vehicles, 'stock vehicle')] : [])];
  return `${parts.join(' and ')}, ${scopes.length === grantable.length ? 'all scopes' : `${scopes.length} of ${grantable.length} scopes`}`;
}

/** What is left of a code's ten minutes, as in "9:41", or null once they are over. */
export function countdown(expiresAt: Date, now: Date): string | null {
  const left = expiresAt.getTime() - now.getTime();
  if (left <= 0) return null;
  const seconds = Math.floor(left / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** What a code shares, as in "3 orders and 1 stock vehicle". */
export function contentWords({ orders, vehicles }: Pick<LinkCode, 'orders' | 'vehicles'>): string {
  const parts = [...(orders > 0 ? [counted(orders, 'order')] : []), ...(vehicles > 0 ? [counted(vehicles, 'stock vehicle')] : [])];
  return parts.join(' and ');
}

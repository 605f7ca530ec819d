import { missedDeadline } from '../../notification/words/consequences.ts';
import { allScopes, isScope, type Scope } from '../../shared/scopes.ts';

/** For some scopes, the one without which they show nothing: a history or a voyage is read with its resource. */
export const neededScopes: Partial<Record<Scope, Scope>> = {
  'orders.history.read': 'orders.read',
  'vehicles.history.read': 'vehicles.read',
  'shipping.read': 'orders.read',
};

const individualScopes: readonly string[] = ['orders.read', 'vehicles.read'] satisfies readonly Scope[];

/** What is wrong with a list of requested scopes as such, in words, or null. */
export function scopeListRefusal(scopes: readonly string[]): string | null {
  if (scopes.length === 0) return 'Choose at least one scope: the smallest set that your purpose needs.';
  const unknown = scopes.find((scope) => !isScope(scope));
  if (unknown !== undefined) return `There is no scope ${JSON.stringify(unknown.slice(0, 40))}.`;
  return new Set(scopes).size === scopes.length ? null : 'List each scope only once.';
}

/** Which of the scopes can never show anything in this set, and what each of them needs; null when each of them can show something. */
function deadScopesRefusal(scopes: readonly string[]): string | null {
  if (scopes.length > 0 && scopes.every((scope) => scope === 'revocations.ack'))
    return 'revocations.ack reads nothing on its own. Add orders.read, vehicles.read or statistics.orders.read.';
  const dead = allScopes.flatMap((scope) => {
    const needed = neededScopes[scope];
    return scopes.includes(scope) && needed && !scopes.includes(needed)
      ? [`${scope} shows nothing without ${needed}. Add ${needed}, or leave ${scope} out.`]
      : [];
  });
  return dead.length === 0 ? null : dead.join(' ');
}

/**
 * Why these scopes cannot be requested, in words, or null. Integrations from before the rule about dead scopes keep the scopes they have.
 */
export function scopesRefusal(scopes: readonly string[]): string | null {
  return scopeListRefusal(scopes) ?? deadScopesRefusal(scopes);
}

/** What an operator and a reviewer should know about a set of scopes (docs/specification.md, “Scopes”). */
export function scopeWarnings(scopes: readonly string[]): string[] {
  const dead = deadScopesRefusal(scopes);
  return [...(dead === null ? [] : [dead]), ...missingAcknowledgement(scopes), ...uncountedOrders(scopes)];
}

/**
 * Users take part in statistics with the orders that they share. A warning, not a refusal: the sandbox has statistics about its test users.
 */
function uncountedOrders(scopes: readonly string[]): string[] {
  if (!scopes.includes('statistics.orders.read') || scopes.includes('orders.read')) return [];
  return [
    'In production, statistics count only orders that users share with the integration, which needs orders.read. Without it, only the sandbox has statistics.',
  ];
}

function missingAcknowledgement(scopes: readonly string[]): string[] {
  if (scopes.includes('revocations.ack') || !individualScopes.some((scope) => scopes.includes(scope))) return [];
  return [
    `Without revocations.ack the back end cannot acknowledge deletions. Each deletion then has to be recorded in the portal within 7 days. ${missedDeadline}`,
  ];
}

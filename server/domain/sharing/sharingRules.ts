import { factsOf } from '../integration/integrationStatus.ts';
import { DomainError, type FieldError } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import { allScopes, isScope, type Scope, readScopes } from '../shared/scopes.ts';
import { wordOf } from '../shared/stateMachine.ts';
import { isSourceReference } from '../tracking/sourceReference.ts';
import type { SharingClient } from './sharingClient.ts';

/** Orders and stock vehicles by the order-tracking service's own keys. */
export type NamedResources = { readonly orders: readonly string[]; readonly vehicles: readonly string[] };

/** What is wrong with the keys themselves, and with their number. */
export function keyErrors({ orders, vehicles }: NamedResources): FieldError[] {
  const errors = (name: string, keys: readonly string[]): FieldError[] =>
    keys.flatMap((key, index) =>
      isSourceReference(key) ? [] : [{ path: `input.${name}[${index}]`, message: 'A key must have 1 to 200 visible characters.' }],
    );
  const count = orders.length + vehicles.length;
  if (count <= limits.resourcesPerShare) return [...errors('orders', orders), ...errors('vehicles', vehicles)];
  return [{ path: 'input.orders', message: `A share can hold at most ${limits.resourcesPerShare} orders and vehicles together.` }];
}

/** What is wrong with a user's reference itself. */
export function userErrors(user: string): FieldError[] {
  return isSourceReference(user) ? [] : [{ path: 'input.user', message: 'The reference to a user must have 1 to 200 visible characters.' }];
}

/** Names of scopes that do not exist. */
export function scopeNameErrors(scopes: readonly string[]): FieldError[] {
  return scopes.flatMap((scope, index) =>
    isScope(scope) ? [] : [{ path: `input.scopes[${index}]`, message: `The scopes are: ${allScopes.join(', ')}.` }],
  );
}

/** Scopes to which a user cannot consent, because the integration may not have them. */
export function consentErrors(scopes: readonly string[], { grantableScopes }: SharingClient): FieldError[] {
  return scopes.flatMap((scope, index) =>
    grantableScopes.some((grantable) => grantable === scope)
      ? []
      : [{ path: `input.scopes[${index}]`, message: `This integration does not have the scope ${scope}.` }],
  );
}

/** Kinds of resources that nobody could read under these scopes. */
export function unreadableErrors({ orders, vehicles }: NamedResources, scopes: readonly string[]): FieldError[] {
  return [
    { path: 'input.orders', kind: 'Orders', named: orders, scope: readScopes.order },
    { path: 'input.vehicles', kind: 'Vehicles', named: vehicles, scope: readScopes.vehicle },
  ].flatMap(({ path, kind, named, scope }) =>
    named.length > 0 && !scopes.includes(scope) ? [{ path, message: `${kind} need the scope ${scope} in the consent.` }] : [],
  );
}

/** Users can take part in statistics only if the integration may read them. Participation is a choice of its own, apart from the scopes. */
export function participationErrors(path: string, optedIn: boolean, { grantableScopes }: SharingClient): FieldError[] {
  if (!optedIn || grantableScopes.includes('statistics.orders.read')) return [];
  return [{ path, message: 'This integration does not have the scope statistics.orders.read.' }];
}

/**
 * Throws unless users can share with this client now: in production with an active integration whose gates are both open, in the sandbox
 * with one that is not retired. Errors: conflict, production_data_disabled.
 */
export function refuseUnlessSharable(client: SharingClient): asserts client is SharingClient & { readonly profileVersion: number } {
  const { environment, integrationStatus, productionDataEnabled, profileVersion } = client;
  if (!factsOf(integrationStatus, environment).shares || profileVersion === null) {
    throw new DomainError('conflict', { detail: `Nothing can be shared with this integration while it is ${wordOf(integrationStatus)}.` });
  }
  if (environment === 'production' && !productionDataEnabled) throw new DomainError('production_data_disabled');
}

/** Known scopes, each once, in the order of `allScopes`. */
export function inSequence(scopes: readonly string[]): Scope[] {
  return allScopes.filter((scope) => scopes.includes(scope));
}

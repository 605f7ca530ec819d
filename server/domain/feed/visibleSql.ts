import { allScopes, readScopes, scopeBits } from '../shared/scopes.ts';

/** SQL: the bits of the client's scopes (`c.scopes`), as in `shared_resource.consented`. */
export const clientScopeBits = `(${allScopes.map((scope) => `case when '${scope}' = any(c.scopes) then ${scopeBits(scope)} else 0 end`).join(' + ')})`;

/** SQL: the bit without which a resource of this type cannot be read. */
export function readBit(type: string): string {
  return `case ${type} when 'order' then ${scopeBits(readScopes.order)} else ${scopeBits(readScopes.vehicle)} end`;
}

/** The bit of the shipping section. */
export const shippingBit = scopeBits('shipping.read');

/**
 * SQL: when the reported revision of the shared resource `share` last rose: with a change of its own, or with the epoch of its feed
 * (`feed`, which has no time before the first new epoch).
 */
export function changedAt(share: string, feed: string): string {
  return `greatest(${share}.updated_at, ${feed}.epoch_at)`;
}

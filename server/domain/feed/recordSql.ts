import { allScopes, scopeBits, scopesOfBits } from '../shared/scopes.ts';

const fragments = Array.from({ length: 1 << allScopes.length }, (_, bits) => `'${JSON.stringify(scopesOfBits(bits))}'`);

/** SQL: the bits of the client's scopes (`c.scopes`), as in `shared_resource.consented`. */
export const clientScopeBits = `(${allScopes.map((scope) => `case when '${scope}' = any(c.scopes) then ${scopeBits(scope)} else 0 end`).join(' + ')})`;

/** SQL: the bit that allows the resource's type to be read. */
export function readBit(type: string): string {
  return `case ${type} when 'order' then ${scopeBits('orders.read')} else ${scopeBits('vehicles.read')} end`;
}

/** SQL: the bit of the shipping section. */
export const shippingBit = scopeBits('shipping.read');

/** SQL: an instant as RFC 3339 in UTC with milliseconds. */
export function instant(column: string): string {
  return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/**
 * SQL: the beginning of a record as JSON text, up to and with the comma before the stored members. `e` is the shared resource, `t` the
 * tracked one, `f` gives epoch and scope bits. Identifiers and types need no escaping.
 */
export const recordHead = `concat('{"id":"', e.id, '","type":"', e.type, '","revision":', e.revision + f.epoch, ',"updated_at":"', ${instant('e.updated_at')},
  '","connection_id":"', e.connection_id, '","scopes":', (array[${fragments.join(',')}])[(e.consented & f.bits) + 1],
  ',"history_complete":', case when t.history_complete then 'true,' else 'false,' end)`;

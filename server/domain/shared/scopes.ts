/**
 * docs/specification.md, “Scopes”. The order is that of the bits in `shared_resource.consented`, a copy of the connection’s consent that
 * spares pages a join; append only.
 */
export const scopeGrants = {
  'orders.read': 'The current snapshot of each shared order',
  'orders.history.read': 'The complete history of each shared order',
  'vehicles.read': 'The current snapshot of each stock vehicle that is selected for sharing',
  'vehicles.history.read': 'The history of each shared stock vehicle, without duplicates',
  'shipping.read': 'A minimal set of vessel, voyage, port and shipping events for each shared order',
  'statistics.orders.read': 'Published aggregates over groups of at least 20 users, and nothing individual',
  'revocations.ack': 'No data; lets the back end acknowledge deletions',
} as const;

export type Scope = keyof typeof scopeGrants;

export const allScopes = Object.keys(scopeGrants) as readonly Scope[];

/** The scopes of which either lets a client sync. */
export const syncScopes = ['orders.read', 'vehicles.read'] as const satisfies readonly Scope[];

/** The scope without which resources of this type cannot be read at all. */
export const readScopes = { order: 'orders.read', vehicle: 'vehicles.read' } as const satisfies Readonly<Record<string, Scope>>;

/** SQL: the same, for an expression that is one of the types. */
export function readScopeSql(type: string): string {
  return `case ${type} when 'order' then '${readScopes.order}' else '${readScopes.vehicle}' end`;
}

/** Whether the text is one of the seven scopes. */
export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopeGrants, text);
}

/** The bit of one scope, or the bits of several, as stored in `shared_resource.consented`. */
export function scopeBits(...scopes: readonly Scope[]): number {
  return scopes.reduce((bits, scope) => bits | (1 << allScopes.indexOf(scope)), 0);
}

/** SQL: the same, for an array of scopes. */
export function scopeBitsSql(scopes: string): string {
  const order = `array[${allScopes.map((scope) => `'${scope}'`).join(', ')}]`;
  return `(select coalesce(sum(1 << (array_position(${order}, s) - 1)), 0) from unnest(${scopes}) s)::smallint`;
}

/** The scopes of a set of bits, in the order of `scopeGrants`. */
export function scopesOfBits(bits: number): Scope[] {
  return allScopes.filter((_, index) => bits & (1 << index));
}

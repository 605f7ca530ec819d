/** Specification, "Scopes (v1)". The order is that of the bits in `shared_resource.consented`; append only. */
export const scopeGrants = {
  'orders.read': 'current allowed order snapshot',
  'orders.history.read': 'complete allowed order change history',
  'vehicles.read': 'current allowed snapshot of a specifically selected stock vehicle',
  'vehicles.history.read': 'allowed, deduplicated stock-vehicle history',
  'shipping.read': 'minimized vessel, voyage, port and shipping events for a granted order',
  'statistics.orders.read': 'fixed, thresholded aggregate generations only',
  'revocations.ack': 'deletion acknowledgements',
} as const;

export type Scope = keyof typeof scopeGrants;

export const allScopes = Object.keys(scopeGrants) as readonly Scope[];

/** Whether the text is one of the seven scopes. */
export function isScope(text: string): text is Scope {
  return Object.hasOwn(scopeGrants, text);
}

/** The bit of one scope, or the bits of several, as stored in `shared_resource.consented`. */
export function scopeBits(...scopes: readonly Scope[]): number {
  return scopes.reduce((bits, scope) => bits | (1 << allScopes.indexOf(scope)), 0);
}

/** The scopes of a set of bits, in the specification's order. */
export function scopesOfBits(bits: number): Scope[] {
  return allScopes.filter((_, index) => bits & (1 << index));
}

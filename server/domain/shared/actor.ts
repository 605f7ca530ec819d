/**
 * Who acts: a signed-in operator, the order-tracking service's tooling, an operator's back end, somebody with a mailed link and no session,
 * or the service itself.
 */
export type Actor = OperatorActor | ServiceTokenActor | ClientActor | AnonymousActor | { readonly type: 'system'; readonly name: string };

/** Where a request came from; recorded in the audit trail. */
type Origin = { readonly ip: string; readonly requestId: string };

export type OperatorActor = Origin & {
  readonly type: 'operator';
  readonly operatorId: string;
  readonly roles: readonly Role[];
};

/** The order-tracking service's own tooling; a token belongs to one environment. */
export type ServiceTokenActor = Origin & {
  readonly type: 'service_token';
  readonly tokenId: string;
  readonly environment: 'sandbox' | 'production';
};

/** An operator's back end by its client certificate; the trail it is recorded in is its operator's. */
export type ClientActor = Origin & {
  readonly type: 'client';
  readonly clientId: string;
  readonly certificateId: string;
};

/** A link proves an address, and not whose account it changes; where it was pressed is no business of the account's owner. */
export type AnonymousActor = Origin & { readonly type: 'anonymous' };

export const roles = ['reviewer', 'administrator'] as const;
export type Role = (typeof roles)[number];

/**
 * Who acts: a signed-in operator, the order-tracking service's tooling, an operator's back end, someone who follows a mailed link without
 * a session, or the service itself.
 */
export type Actor = OperatorActor | ServiceTokenActor | ClientActor | AnonymousActor | { readonly type: 'system'; readonly name: string };

/** Where a request came from, as the audit trail records it. */
type Origin = { readonly ip: string; readonly requestId: string };

export type OperatorActor = Origin & {
  readonly type: 'operator';
  readonly operatorId: string;
  readonly roles: readonly Role[];
};

/** The order-tracking service's own tooling. A token belongs to one environment. */
export type ServiceTokenActor = Origin & {
  readonly type: 'service_token';
  readonly tokenId: string;
  readonly environment: 'sandbox' | 'production';
};

/** An operator's back end, known by its client certificate. What it does is recorded in its operator's trail. */
export type ClientActor = Origin & {
  readonly type: 'client';
  readonly clientId: string;
  readonly certificateId: string;
};

/** A link proves an address, but not who the account's owner is. The owner does not learn from where somebody followed it. */
type AnonymousActor = Origin & { readonly type: 'anonymous' };

export const roles = ['reviewer', 'administrator'] as const;
export type Role = (typeof roles)[number];

/** Who acts: a signed-in operator, or the service itself (a worker, a terminal command). */
export type Actor = OperatorActor | { readonly type: 'system'; readonly name: string };

export type OperatorActor = {
  readonly type: 'operator';
  readonly operatorId: string;
  readonly roles: readonly Role[];
  /** Where the request came from; recorded in the audit trail. */
  readonly ip: string;
  readonly requestId: string;
};

export const roles = ['reviewer', 'administrator'] as const;
export type Role = (typeof roles)[number];

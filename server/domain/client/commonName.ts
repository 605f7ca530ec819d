import type { Environment } from '../shared/environment.ts';

/** The exact subject common name that a certificate of this client carries (docs/specification.md, “Clients”). */
export function commonNameOf({ environment, id }: { environment: Environment; id: string }): string {
  return `svc:${environment}:${id}`;
}

/** SQL: the same, from two expressions. */
export function commonNameSql({ environment, id }: { environment: string; id: string }): string {
  return `'svc:' || ${environment} || ':' || ${id}`;
}

import { namesOf } from '../shared/lifecycle.ts';
import { authorityFacts } from './authorityFacts.ts';

export type AuthorityStatus = keyof typeof authorityFacts;
export const authorityStatuses = namesOf(authorityFacts);

/** SQL: `row` is an issuing authority that no other follows, and that was neither revoked nor given up. It may wait for its turn, or have ended. */
export function isLatestIssuing(row = 'certificate_authority'): string {
  return `${row}.kind = 'issuing' and ${row}.retired_at is null`;
}

/** SQL: `row` is an issuing authority that still issues at `now`, while the one that follows it waits for its turn. */
export function isAboutToRetire(now: string, row = 'certificate_authority'): string {
  // The clock of who revoked it or gave it up may be ahead of this one.
  return `${row}.kind = 'issuing' and ${row}.retired_at > ${now}::timestamptz and ${row}.revoked_at is null and ${row}.has_key`;
}

/** SQL: the status of the authority `row`. The first that holds counts. Whether it waits is told by the one before it alone. */
export function authorityStatusSql(now: string, row: string): string {
  return `case
       when ${row}.not_after <= ${now}::timestamptz then 'expired'
       when ${row}.revoked_at is not null then 'revoked'
       when ${row}.kind = 'root' then 'root'
       when not ${row}.has_key then 'abandoned'
       when ${isAboutToRetire(now, row)} then 'issuing'
       when not (${isLatestIssuing(row)}) then 'replaced'
       when exists (select 1 from certificate_authority before where ${isAboutToRetire(now, 'before')}) then 'waiting'
       else 'issuing' end`;
}

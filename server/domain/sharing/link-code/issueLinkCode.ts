import { randomInt } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError, refuseInvalid } from '../../shared/DomainError.ts';
import type { Environment } from '../../shared/environment.ts';
import { newId } from '../../shared/ids.ts';
import type { LookupKeys } from '../../shared/keySet.ts';
import { limits } from '../../shared/limits.ts';
import { linkCodeHmac, linkCodeHmacs } from '../../shared/lookupKeys.ts';
import type { Scope } from '../../shared/scopes.ts';
import { sql } from '../../shared/sql.ts';

type IssueLinkCode = {
  /** The one client that may redeem the code. */
  readonly client: { readonly number: number; readonly environment: Environment };
  readonly userRef: Buffer;
  readonly trackedResourceIds: readonly string[];
  readonly scopes: readonly Scope[];
  readonly statisticsOptedIn: boolean;
  /** The profile version to which the user consents. */
  readonly profileVersion: number;
  readonly lookupKeys: LookupKeys;
  readonly now: Date;
  /** Draws a code. Tests replace it to draw the same code twice. */
  readonly draw?: () => string;
};

/** `code` is returned once, because only its HMAC is stored. */
export type IssuedLinkCode = { readonly id: string; readonly code: string; readonly expiresAt: Date };

/** With ten digits and codes that live for ten minutes, even a second draw is rare. */
const draws = 10;

const insertLinkCodeSql = `
insert into link_code (id, environment, client_number, code_hmac, user_ref, profile_version, scopes, statistics_opted_in, created_at, expires_at)
select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10
 where not exists (select 1 from link_code where environment = $2 and code_hmac = any($11::bytea[]))
on conflict (environment, code_hmac) do nothing returning id`;

const insertLinkCodeResourcesSql = `
insert into link_code_resource (link_code_id, tracked_resource_id) select $1::text, u.id from unnest($2::bigint[]) u(id) order by u.id`;

/**
 * Creates a link code of ten digits, valid for ten minutes and for one redemption by one client, in the caller's transaction
 * (docs/specification.md, “Link codes”). If another stored code has the same value, a new one is drawn. The caller has checked that the
 * user may share the resources and that the scopes allow them. Errors: invalid_request unless there are 1 to 500 different resources.
 */
export async function issueLinkCode(
  tx: EntityManager,
  { client, userRef, trackedResourceIds, scopes, statisticsOptedIn, profileVersion, lookupKeys, now, draw = drawLinkCode }: IssueLinkCode,
): Promise<IssuedLinkCode> {
  refuseCount(trackedResourceIds.length);
  const id = newId('lnk');
  const expiresAt = new Date(now.getTime() + limits.linkCodeLifetime);
  for (let drawn = 0; drawn < draws; drawn += 1) {
    const code = draw();
    const inserted = await sql(tx, insertLinkCodeSql, [
      id,
      client.environment,
      client.number,
      linkCodeHmac(lookupKeys.current, client.environment, code),
      userRef,
      profileVersion,
      scopes,
      statisticsOptedIn,
      now,
      expiresAt,
      linkCodeHmacs(lookupKeys, client.environment, code),
    ]);
    if (inserted.length === 0) continue;
    await sql(tx, insertLinkCodeResourcesSql, [id, trackedResourceIds]);
    return { id, code, expiresAt };
  }
  throw new DomainError('internal_error', { detail: 'No free link code was drawn.' });
}

/** Ten digits, each value equally likely, including those with leading zeroes. */
function drawLinkCode(): string {
  return String(randomInt(10 ** 10)).padStart(10, '0');
}

function refuseCount(count: number): void {
  const message = `A link code must share 1 to ${limits.resourcesPerShare} resources.`;
  refuseInvalid(count >= 1 && count <= limits.resourcesPerShare ? [] : [{ path: 'input', message }]);
}

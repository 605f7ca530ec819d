import { hash } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { limits } from '../../shared/limits.ts';
import { webhookLimits } from '../../outbox/webhookLimits.ts';
import { sql } from '../../shared/sql.ts';

/** A public key as receivers read it (RFC 7517; RFC 8037, section 2). */
type PublishedKey = {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly use: 'sig';
  readonly alg: 'EdDSA';
};

/** The name of an Ed25519 key: its thumbprint (RFC 7638, section 3; RFC 8037, section 2, names the members). `x` is base64url. */
export function thumbprint(x: string): string {
  return hash('sha256', `{"crv":"Ed25519","kty":"OKP","x":"${x}"}`, 'base64url');
}

/** A minute longer than promised, because a worker may use a key a moment after it was retired. */
export const signingKeyPublished = webhookLimits.signingKeyKept + limits.keyRingReload;

const publishedSql = `
select id, public_key as x from webhook_signing_key where retired_at is null or retired_at > $1
 order by retired_at desc nulls first, signs_from nulls last`;

/** The keys that receivers may meet: the current one, the next one, then former ones (docs/specification.md, “Signing keys”). */
export async function publishedKeys(em: EntityManager, { now }: { readonly now: Date }): Promise<readonly PublishedKey[]> {
  const oldest = new Date(now.getTime() - signingKeyPublished);
  const rows = await sql<{ id: string; x: string }>(em, publishedSql, [oldest]);
  return rows.map(({ id, x }) => ({ kty: 'OKP', crv: 'Ed25519', x, kid: id, use: 'sig', alg: 'EdDSA' }));
}

const sinceSql = `
select signs_from as since from webhook_signing_key where signs_from is not null and retired_at is null`;

/** Since when the current key signs, if there is one. */
export async function currentKeySince(em: EntityManager): Promise<Date | undefined> {
  const [row] = await sql<{ since: Date }>(em, sinceSql);
  return row?.since;
}

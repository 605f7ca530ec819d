import { performance } from 'node:perf_hooks';
import pg from 'pg';
import { createOrm } from '../server/database/orm.ts';
import { ensureAuthorities, openIssuer } from '../server/domain/certificate/authorities.ts';
import { isCrlDue, publishCrl } from '../server/domain/certificate/crl/publication/publishCrl.ts';
import { sql } from '../server/domain/shared/sql.ts';
import { authorityKeys } from '../server/platform/authorityKeys.ts';
import { createBenchClient } from './corpus.ts';
import { createDatabase } from './createDatabase.ts';
import { type Effort, median, type Result } from './measure.ts';
import type { World } from './world.ts';

const day = 24 * 60 * 60 * 1000;
const entries = 20_000;
/** In seconds. */
const target = 1;

/** Revoked certificates with texts of the usual size; $1 is the client, $2 who requested them, $3 the authority, $4 the present. */
const fillSql = `
insert into certificate (id, client_number, source, status, key_type, issuer_id, serial, fingerprint_sha256, public_key_der, pem, requested_at, requested_by, issued_at,
   not_before, not_after, usable_until, revoked_at, revocation_reason)
select 'crt_' || n, $1::int, 'csr', 'revoked', 'EC P-256', $3, '5' || substr(md5(n::text), 2), md5('f' || n), decode(md5('k' || n), 'hex'), repeat(md5(n::text), 30),
       $4::timestamptz, $2, $4::timestamptz, $4::timestamptz, $4::timestamptz + interval '90 days', $4::timestamptz + interval '90 days', $4::timestamptz,
       (array['superseded', 'key_compromise', 'cessation_of_operation', 'unspecified'])[n % 4 + 1]
  from generate_series(1, $5::int) n`;

/**
 * How long a worker takes for a revocation list of 20,000 entries, from the lock to the commit, signature and its check included; and how
 * long until 20,000 new revocations are all on a list, which takes several, because each of them names some for the first time.
 */
export async function measureRevocationList(world: World, { rounds }: Effort): Promise<Result[]> {
  const databaseUrl = await createDatabase(world.databaseUrl, 'bench_revocations');
  const orm = await createOrm(databaseUrl);
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  try {
    let now = new Date();
    const place = { keys: authorityKeys({ variable: 'SIGNING_KEY', current: Buffer.alloc(32, 1) }), portalUrl: 'http://localhost' };
    await ensureAuthorities(orm.em.fork(), { ...place, now });
    const { id: authorityId, signer } = await openIssuer(orm.em.fork(), { ...place, now });
    const client = await createBenchClient(db, 0);
    await sql(orm.em.fork(), fillSql, [client.number, client.operatorId, authorityId, now, entries]);
    const publish = async () => {
      now = new Date(now.getTime() + day);
      const began = performance.now();
      while (await isCrlDue(orm.em.fork(), authorityId, now)) await publishCrl(orm.em.fork(), { authorityId, signer, now });
      return (performance.now() - began) / 1000;
    };
    const times: { fresh: number[]; known: number[] } = { fresh: [], known: [] };
    for (let round = 0; round < rounds; round += 1) {
      await db.query('update certificate set crl_published_at = null');
      await db.query('vacuum analyze certificate');
      times.fresh.push(await publish());
      times.known.push(await publish());
    }
    const { rows } = await db.query<{ revoked: number; bytes: number }>(
      'select revoked, length(der) as bytes from certificate_revocation_list where authority_id = $1',
      [authorityId],
    );
    const made = `${rows[0]?.revoked} entries, ${((rows[0]?.bytes ?? 0) / 1024).toFixed(0)} KiB`;
    return [
      resultOf('seconds for a revocation list', times.known, made, { atMost: target }),
      resultOf('seconds until as many new revocations are on a list', times.fresh, made, null),
    ];
  } finally {
    await Promise.all([orm.close(true), db.end()]);
  }
}

function resultOf(name: string, seconds: readonly number[], made: string, wanted: Result['target']): Result {
  return {
    section: 'certificates',
    name,
    ratio: { median: median(seconds), lowest: Math.min(...seconds), highest: Math.max(...seconds) },
    target: wanted,
    figures: made,
  };
}

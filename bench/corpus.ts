import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import pg from 'pg';
import {
  createIssuingAuthority,
  createRootAuthority,
  issueClientCertificate,
  newSerial,
} from '../server/domain/certificate/certificateAuthority.ts';
import { newId } from '../server/domain/shared/ids.ts';
import { allScopes, scopeBits } from '../server/domain/shared/scopes.ts';
import { generateSigningKey, softwareKey, softwareSigner } from '../server/platform/keyStore.ts';

const day = 24 * 60 * 60 * 1000;

/** A client with the certificate that the load generator presents. `facts` is what admission looks it up by. */
export type ClientIdentity = {
  readonly clientNumber: number;
  readonly certPem: string;
  readonly keyPem: string;
  readonly facts: { readonly fingerprintSha256: string; readonly serial: string; readonly commonName: string };
};

export type Corpus = { readonly identities: readonly ClientIdentity[]; readonly authorityPems: readonly string[] };

/**
 * Fills a migrated, empty database: one client for each entry of `shares`, with that many shared orders of about 1,650 bytes. Admission is
 * unchanged and counts every request; only the clients' limits are out of the way, through override rows.
 */
export async function fillCorpus(databaseUrl: string, shares: readonly number[]): Promise<Corpus> {
  const db = new pg.Client({ connectionString: databaseUrl });
  await db.connect();
  try {
    const authority = await createAuthority(db);
    const identities: ClientIdentity[] = [];
    for (const [index, records] of shares.entries()) {
      const client = await createBenchClient(db, index);
      identities.push(await createIdentity(db, client, authority));
      await shareOrders(db, client.number, records);
    }
    await db.query('vacuum analyze');
    return { identities, authorityPems: authority.pems };
  } finally {
    await db.end();
  }
}

type BenchClient = { number: number; id: string; operatorId: string };

/** Makes an integration in its sandbox, with a client whose limits are out of the way. */
export async function createBenchClient(db: pg.Client, index: number): Promise<BenchClient> {
  const operatorId = newId('opr');
  const integrationId = newId('int');
  const id = newId('cli');
  const now = new Date();
  await db.query('begin');
  await db.query('insert into operator (id, email, email_key, user_handle, created_at) values ($1, $1, $1, $2, $3)', [
    operatorId,
    randomBytes(16),
    now,
  ]);
  await db.query(
    "insert into integration (id, operator_id, slug, status, profile_version, created_at) values ($1, $2, $3, 'sandbox', 1, $4)",
    [integrationId, operatorId, `bench-${index}`, now],
  );
  await db.query(
    `insert into profile_version (integration_id, version, public_name, public_description, purpose, legal_operator_name, country, support_email, website_url,
       privacy_policy_url, terms_of_service_url, order_linking_url, requested_scopes, polling_cadence_minutes, webhook_model, terms_version,
       attribution_accepted_at, created_at, created_by)
     values ($1, 1, 'Bench', 'Bench', 'Bench', 'Bench', 'DE', 'bench@example.com', 'https://example.com', 'https://example.com', 'https://example.com',
       'https://example.com', $2, 15, 'none', 1, $3, $3, $4)`,
    [integrationId, allScopes, now, operatorId],
  );
  const { rows } = await db.query<{ number: number }>(
    "insert into client (id, integration_id, environment, scopes, created_at) values ($1, $2, 'sandbox', $3, $4) returning number",
    [id, integrationId, allScopes, now],
  );
  const number = rows[0]?.number ?? 0;
  await db.query('insert into client_feed (client_number) values ($1)', [number]);
  await db.query('insert into client_quota (client_number) values ($1)', [number]);
  await db.query(
    `insert into quota_override (client_number, quota, value, reason, created_at)
     select $1, unnest(array['requests_per_hour', 'requests_per_minute', 'concurrent_requests', 'est_requests_per_hour']), 1000000000, 'benchmark', $2`,
    [number, now],
  );
  await db.query('commit');
  return { number, id, operatorId };
}

type Authority = { pems: string[]; issuingPem: string; issuingKey: Buffer; notBefore: Date };

async function createAuthority(db: pg.Client): Promise<Authority> {
  const now = new Date();
  const ca = { notBefore: new Date(now.getTime() - day), notAfter: new Date(now.getTime() + 365 * day) };
  const rootKey = generateSigningKey('P-384');
  const issuingKey = generateSigningKey('P-256');
  const root = await createRootAuthority({ commonName: 'Bench root', serial: newSerial(), ...ca, key: softwareKey(rootKey) });
  const issuing = await createIssuingAuthority({
    commonName: 'Bench issuing',
    serial: newSerial(),
    ...ca,
    signer: softwareSigner(root.pem, rootKey),
    publicKeyDer: softwareKey(issuingKey).publicKeyDer,
  });
  await db.query(
    "insert into certificate_authority (id, kind, certificate_pem, not_after, created_at) values ('root', 'root', $1, $2, $3)",
    [root.pem, ca.notAfter, now],
  );
  await db.query(
    "insert into certificate_authority (id, kind, issuer_id, certificate_pem, not_after, created_at) values ('issuing', 'issuing', 'root', $1, $2, $3)",
    [issuing.pem, ca.notAfter, now],
  );
  return { pems: [root.pem, issuing.pem], issuingPem: issuing.pem, issuingKey, notBefore: ca.notBefore };
}

async function createIdentity(db: pg.Client, client: BenchClient, authority: Authority): Promise<ClientIdentity> {
  const { issuingPem, issuingKey, notBefore } = authority;
  const notAfter = new Date(notBefore.getTime() + 90 * day);
  const commonName = `svc:sandbox:${client.id}`;
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const issued = await issueClientCertificate({
    signer: softwareSigner(issuingPem, issuingKey),
    publicKeyDer: createPublicKey(privateKey).export({ format: 'der', type: 'spki' }),
    commonName,
    serial: newSerial(),
    notBefore,
    notAfter,
    now: notBefore,
    crlDistributionUrl: 'http://localhost/crl/bench.crl',
  });
  await db.query(
    `insert into certificate (id, client_number, source, status, key_type, issuer_id, serial, fingerprint_sha256, pem, requested_at, requested_by, issued_at,
       not_before, not_after, usable_until)
     values ($1, $2, 'csr', 'issued', 'EC P-256', 'issuing', $3, $4, $5, $6, $7, $6, $6, $8, $8)`,
    [newId('crt'), client.number, issued.serialHex, issued.fingerprintSha256, issued.pem, notBefore, client.operatorId, notAfter],
  );
  return {
    clientNumber: client.number,
    certPem: issued.pem + issuingPem,
    keyPem: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    facts: { fingerprintSha256: issued.fingerprintSha256, serial: issued.serialHex, commonName },
  };
}

async function shareOrders(db: pg.Client, clientNumber: number, records: number): Promise<void> {
  const connectionId = newId('con');
  const now = new Date();
  await db.query(
    'insert into connection (client_number, id, user_ref, profile_version, scopes, statistics_opted_in, created_at) values ($1, $2, $3, 1, $4, false, $5)',
    [clientNumber, connectionId, randomBytes(32), allScopes, now],
  );
  const numbers = Array.from({ length: records }, (_, index) => index);
  const { rows } = await db.query<{ id: string }>(
    `insert into tracked_resource (environment, type, source_key, source_version, core, shipping, history_complete)
     select 'sandbox', 'order', int4send($4::int) || int4send(n), 1, core, shipping, true from unnest($1::int[], $2::text[], $3::text[]) u(n, core, shipping) order by n returning id`,
    [numbers, numbers.map(orderCore), numbers.map(orderShipping), clientNumber],
  );
  await db.query(
    `insert into shared_resource (client_number, id, connection_id, tracked_resource_id, type, consented, position, updated_at)
     select $1, u.id, $2, u.tracked, 'order', $3, u.position, $4 from unnest($5::text[], $6::bigint[]) with ordinality u(id, tracked, position)`,
    [clientNumber, connectionId, scopeBits(...allScopes), now, numbers.map(() => newId('ord')), rows.map((row) => row.id)],
  );
  await db.query('update client_feed set head = $2 where client_number = $1', [clientNumber, records]);
}

function orderCore(n: number): string {
  return JSON.stringify({
    status: 'in_transit',
    model: `Model ${n % 9}`,
    model_year: 2026,
    trim: 'Long Range',
    market: 'DE',
    exterior: 'Glacier Blue',
    interior: 'Black',
    option_codes: Array.from({ length: 48 }, (_, index) => `OPT${(n * 31 + index * 7) % 1000}`),
    ordered_on: '2026-05-01',
    production: { scheduled_week: '2026-W30', started_on: '2026-07-20', completed_on: '2026-07-24' },
    delivery_estimate: { from: '2026-12-01', to: '2026-12-20' },
  });
}

function orderShipping(n: number): string {
  const events = ['loaded', 'departed', 'transshipped', 'arrived', 'discharged'].map((kind, index) => ({
    kind,
    port: index < 2 ? 'CNSHA' : 'DEBRV',
    at: `2026-09-0${index + 1}T0${n % 10}:00:00.000Z`,
    estimated: index > 2,
  }));
  return JSON.stringify({ vessel: 'Northern Star', voyage: `${n % 500}W`, origin_port: 'CNSHA', destination_port: 'DEBRV', events });
}

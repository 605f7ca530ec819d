import { createPublicKey, createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import postgres from 'postgres';
import {
  createIssuingAuthority,
  createRootAuthority,
  issueClientCertificate,
  newSerial,
} from '../../../server/domain/certificate/certificateAuthority.ts';
import type { CertificateSigner } from '../../../server/domain/certificate/CertificateSigner.ts';
import { newId } from '../../../server/domain/shared/ids.ts';
import { allScopes, type Scope, scopeBits } from '../../../server/domain/shared/scopes.ts';
import { generateSigningKey, softwareKey, softwareSigner } from '../../../server/platform/keyStore.ts';
import type { Rows } from './Rows.ts';
import { webhookEndpoint, type TestEndpoint } from '../webhooks/endpointRows.ts';

const day = 24 * 60 * 60 * 1000;

/** Rows for tests, written by small SQL statements on one connection pool. */
export class Fixtures {
  readonly sql: postgres.Sql;

  constructor(databaseUrl: string) {
    this.sql = postgres(databaseUrl, { max: 2, onnotice: () => {} });
  }

  end(): Promise<void> {
    return this.sql.end();
  }

  /** A root and an issuing authority on record. Validity starts two years ago, so that long expired certificates can be issued. */
  async authorities({ notAfter = new Date(Date.now() + 1095 * day) }: { notAfter?: Date } = {}): Promise<TestAuthority> {
    const rootKey = generateSigningKey('P-384');
    const issuingKey = generateSigningKey('P-256');
    const lifetime = { notBefore: new Date(Date.now() - 730 * day), notAfter };
    const root = await createRootAuthority({ commonName: 'Test root', serial: newSerial(), ...lifetime, key: softwareKey(rootKey) });
    const issuing = await createIssuingAuthority({
      commonName: 'Test issuing',
      serial: newSerial(),
      ...lifetime,
      signer: softwareSigner(root.pem, rootKey),
      publicKeyDer: softwareKey(issuingKey).publicKeyDer,
    });
    const suffix = randomBytes(4).toString('hex');
    await this.sql`insert into certificate_authority (id, kind, certificate_pem, not_after, created_at)
      values (${`root-${suffix}`}, 'root', ${root.pem}, ${lifetime.notAfter}, ${lifetime.notBefore})`;
    await this.sql`insert into certificate_authority (id, kind, issuer_id, certificate_pem, not_after, created_at)
      values (${`issuing-${suffix}`}, 'issuing', ${`root-${suffix}`}, ${issuing.pem}, ${lifetime.notAfter}, ${lifetime.notBefore})`;
    return { issuerId: `issuing-${suffix}`, signer: softwareSigner(issuing.pem, issuingKey), chainPem: issuing.pem };
  }

  /** An integration with its client. `status` is the integration's; one other than sandbox usually goes with a production client. */
  async client({
    scopes = allScopes,
    environment = 'sandbox',
    status = 'sandbox',
  }: { scopes?: readonly Scope[]; environment?: 'sandbox' | 'production'; status?: string } = {}): Promise<TestClient> {
    const operatorId = newId('opr');
    const integrationId = newId('int');
    const id = newId('cli');
    const now = new Date();
    const number = await this.sql.begin(async (sql) => {
      await sql`insert into operator (id, email, email_key, user_handle, created_at)
        values (${operatorId}, ${`${operatorId}@example.com`}, ${`${operatorId}@example.com`}, ${randomBytes(32)}, ${now})`;
      await sql`insert into terms_acceptance (operator_id, terms_version, accepted_at, non_commercial, attribution)
        values (${operatorId}, 1, ${now}, true, true)`;
      await sql`insert into integration (id, operator_id, slug, status, profile_version, reviewed_profile_version, created_at)
        values (${integrationId}, ${operatorId}, ${integrationId.replace('_', '-')}, ${status}, 1, null, ${now})`;
      await sql`insert into profile_version (integration_id, version, public_name, public_description, purpose, legal_operator_name, country, support_email,
          website_url, privacy_policy_url, terms_of_service_url, order_linking_url, requested_scopes, polling_cadence_minutes, webhook_model, terms_version,
          attribution_accepted_at, created_at, created_by)
        values (${integrationId}, 1, 'Test', 'Test', 'Test', 'Test', 'DE', 'support@example.com', 'https://example.com', 'https://example.com/p', 'https://example.com/t',
          'https://example.com/l', ${[...scopes]}, 15, 'none', 1, ${now}, ${now}, ${operatorId})`;
      if (environment === 'production') await sql`update integration set reviewed_profile_version = 1 where id = ${integrationId}`;
      const [row] = await sql<{ number: number }[]>`insert into client (id, integration_id, environment, scopes, created_at)
        values (${id}, ${integrationId}, ${environment}, ${[...scopes]}, ${now}) returning number`;
      await sql`insert into client_feed (client_number) values (${row?.number ?? 0})`;
      await sql`insert into client_quota (client_number) values (${row?.number ?? 0})`;
      return row?.number ?? 0;
    });
    return { number, id, operatorId, integrationId, environment, commonName: `svc:${environment}:${id}` };
  }

  /** A certificate on record for the client, usable for 90 days from yesterday unless specified otherwise. */
  async certificate(
    authority: TestAuthority,
    client: TestClient,
    { notBefore = new Date(Date.now() - day), notAfter }: { notBefore?: Date; notAfter?: Date } = {},
  ): Promise<TestCertificate> {
    const until = notAfter ?? new Date(notBefore.getTime() + 90 * day);
    const issued = await issueTestCertificate(authority, client.commonName, { notBefore, notAfter: until });
    const id = newId('crt');
    await this
      .sql`insert into certificate (id, client_number, source, status, key_type, issuer_id, serial, fingerprint_sha256, pem, requested_at, requested_by,
        issued_at, not_before, not_after, usable_until)
      values (${id}, ${client.number}, 'csr', 'issued', 'EC P-256', ${authority.issuerId}, ${issued.serialHex}, ${issued.fingerprintSha256}, ${issued.pem}, ${notBefore},
        ${client.operatorId}, ${notBefore}, ${notBefore}, ${until}, ${until})`;
    return {
      id,
      certPem: issued.pem + authority.chainPem,
      keyPem: issued.keyPem,
      fingerprintSha256: issued.fingerprintSha256,
      serial: issued.serialHex,
    };
  }

  async revokeCertificate(certificate: TestCertificate): Promise<void> {
    await this
      .sql`update certificate set status = 'revoked', revoked_at = ${new Date()}, revocation_reason = 'unspecified' where id = ${certificate.id}`;
  }

  /** Raises one of the client's quotas with an override row, because nothing ever skips admission. */
  async override(client: Pick<TestClient, 'number'>, quota: string, value: number, expiresAt: Date | null = null): Promise<void> {
    await this
      .sql`insert into quota_override (client_number, quota, value, reason, created_at, expires_at) values (${client.number}, ${quota}, ${value}, 'test', ${new Date()}, ${expiresAt})`;
  }

  /** A client as above with an endpoint, so that its events are stored. */
  async listeningClient(client: Parameters<Fixtures['client']>[0] = {}): Promise<TestClient> {
    const made = await this.client(client);
    await this.webhookEndpoint(made);
    return made;
  }

  /** An endpoint that is proven and active, and subscribes to everything unless specified otherwise. */
  webhookEndpoint({ number }: Pick<TestClient, 'number'>, described: Parameters<typeof webhookEndpoint>[2] = {}): Promise<TestEndpoint> {
    const rows: Rows['rows'] = async <Row>(text: string, values: readonly unknown[] = []) =>
      (await this.sql.unsafe(text, values as postgres.ParameterOrJSON<never>[])) as unknown as Row[];
    return webhookEndpoint({ rows }, number, described);
  }

  async connection(client: TestClient, scopes: readonly Scope[] = allScopes): Promise<string> {
    const id = newId('con');
    await this.sql`insert into connection (client_number, id, user_ref, profile_version, scopes, statistics_opted_in, created_at)
      values (${client.number}, ${id}, ${randomBytes(32)}, 1, ${[...scopes]}, false, ${new Date()})`;
    return id;
  }

  /** Shares `count` new resources at the next positions of the feed; returns their IDs in feed order. */
  async share(
    client: TestClient,
    connectionId: string,
    count: number,
    {
      type = 'order',
      consented = allScopes,
      shipping = false,
    }: { type?: 'order' | 'vehicle'; consented?: readonly Scope[]; shipping?: boolean } = {},
  ): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newId(type === 'order' ? 'ord' : 'veh'));
    const shippingText = shipping ? '{"vessel":"Test","voyage":"1E","origin_port":"CNSHA","destination_port":"DEBRV","events":[]}' : null;
    await this.sql.begin(async (sql) => {
      const [feed] = await sql<
        { base: number }[]
      >`update client_feed set head = head + ${count} where client_number = ${client.number} returning (head - ${count})::int as base`;
      const rows = await sql<
        { id: string }[]
      >`insert into tracked_resource (environment, type, source_key, source_version, core, shipping, history_complete)
        select ${client.environment}, ${type}, decode(md5(random()::text), 'hex'), 1, ${sampleCore(type)}, ${shippingText}, true from generate_series(1, ${count}) returning id`;
      await sql`insert into shared_resource (client_number, id, connection_id, tracked_resource_id, type, consented, position, updated_at)
        select ${client.number}, u.id, ${connectionId}, u.tracked, ${type}, ${scopeBits(...consented)}, ${feed?.base ?? 0} + u.n, ${new Date()}
          from unnest(${ids}::text[], ${rows.map((row) => Number(row.id))}::bigint[]) with ordinality u(id, tracked, n)`;
    });
    return ids;
  }

  /** Adds history items to a shared resource; `changes` is JSON text, as it is stored. */
  async history(client: TestClient, resourceId: string, items: readonly TestHistoryItem[]): Promise<void> {
    await this.sql`insert into tracked_change (tracked_resource_id, sequence, section, occurred_at, changes)
      select s.tracked_resource_id, u.* from shared_resource s,
             unnest(${items.map((item) => item.sequence)}::bigint[], ${items.map((item) => item.section ?? 'core')}::text[],
                    ${items.map((item) => item.occurredAt ?? '2026-11-20T08:15:30.120Z')}::timestamptz[], ${items.map((item) => item.changes)}::text[]) u
       where s.client_number = ${client.number} and s.id = ${resourceId}`;
  }

  /** Publishes a statistics generation with these groups as JSON text; returns its id. */
  async generation(
    client: TestClient,
    { groups = '[]', publishedAt = new Date() }: { groups?: string; publishedAt?: Date } = {},
  ): Promise<string> {
    const id = newId('gen');
    await this
      .sql`insert into statistics_generation (client_number, id, published_at, period_from, period_to, minimum_group_size, groups, basis)
      values (${client.number}, ${id}, ${publishedAt}, '2022-01-01', '2026-11-21', 20, ${groups}, '{"basis":{"a user":[1]}}')`;
    return id;
  }

  /** Revokes one shared resource with its tombstone; returns the revocation's id. */
  async revoke(client: TestClient, connectionId: string, resourceId: string): Promise<string> {
    const id = newId('rev');
    const now = new Date();
    await this.sql.begin(async (sql) => {
      const [feed] = await sql<
        { head: number }[]
      >`update client_feed set head = head + 1 where client_number = ${client.number} returning head::int as head`;
      await sql`insert into revocation (client_number, id, subject_type, subject_id, connection_id, revoked_at, deletion_deadline_at)
        values (${client.number}, ${id}, 'resource', ${resourceId}, ${connectionId}, ${now}, ${new Date(now.getTime() + 7 * day)})`;
      await sql`update shared_resource set revocation_id = ${id}, position = ${feed?.head ?? 0} where client_number = ${client.number} and id = ${resourceId}`;
    });
    return id;
  }

  /** A new revision of a shared resource at the feed's head. */
  async touch(client: TestClient, resourceId: string): Promise<void> {
    await this.sql.begin(async (sql) => {
      const [feed] = await sql<
        { head: number }[]
      >`update client_feed set head = head + 1 where client_number = ${client.number} returning head::int as head`;
      await sql`update shared_resource set revision = revision + 1, position = ${feed?.head ?? 0}, updated_at = ${new Date()} where client_number = ${client.number} and id = ${resourceId}`;
    });
  }
}

export type TestHistoryItem = { sequence: number; section?: 'core' | 'shipping'; occurredAt?: string; changes: string };
export type TestAuthority = { issuerId: string; signer: CertificateSigner; chainPem: string };
export type TestClient = {
  number: number;
  id: string;
  operatorId: string;
  integrationId: string;
  environment: 'sandbox' | 'production';
  commonName: string;
};
export type TestCertificate = { id: string; certPem: string; keyPem: string; fingerprintSha256: string; serial: string };

/** A certificate that the authority has signed but that is not on record. */
export async function issueTestCertificate(
  authority: Pick<TestAuthority, 'signer'>,
  commonName: string,
  { notBefore, notAfter }: { notBefore: Date; notAfter: Date },
) {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keyPem = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
  const issued = await issueClientCertificate({
    signer: authority.signer,
    publicKeyDer: createPublicKey(createPrivateKey(keyPem)).export({ format: 'der', type: 'spki' }),
    commonName,
    serial: newSerial(),
    notBefore,
    notAfter,
    now: notBefore,
    crlDistributionUrl: 'http://localhost/crl/test.crl',
  });
  return { ...issued, keyPem };
}

function sampleCore(type: 'order' | 'vehicle'): string {
  const common = {
    model: 'Model One',
    model_year: 2026,
    trim: 'Long Range',
    market: 'DE',
    exterior: 'Blue',
    interior: 'Black',
    option_codes: ['A1', 'B2'],
  };
  return JSON.stringify(
    type === 'order'
      ? { status: 'placed', ...common, ordered_on: '2026-05-01' }
      : { status: 'available', ...common, listed_on: '2026-05-01' },
  );
}

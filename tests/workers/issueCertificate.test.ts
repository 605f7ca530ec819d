import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Issuer } from '../../server/domain/certificate/CertificateSigner.ts';
import { failCertificate, issueCertificate } from '../../server/domain/certificate/issueCertificate.ts';
import { LintRefused } from '../../server/domain/certificate/lintCertificate.ts';
import { certificateLimits } from '../../server/domain/certificate/certificateLimits.ts';
import { endCertificates } from '../../workers/tasks/endCertificates.ts';
import { issueCertificate as issueCertificateTask } from '../../workers/tasks/issueCertificate.ts';
import { attribute, csrDer, nameOf, spkiOf } from '../domain/certificate/csrFactory.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import type { PortalClient } from '../support/clients/portalClient.ts';

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;

let application: PortalWorld;
let owner: PortalClient;
let certificateId: string;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  owner = await application.operator();
});
afterAll(() => application.close());

let integration: Awaited<ReturnType<PortalClient['createIntegration']>>;
beforeEach(async () => {
  await owner.signIn();
  integration = await owner.createIntegration();
  await owner.confirmFreshly();
  certificateId = (await owner.requestCertificate(integration)).data?.id ?? '';
});

type Row = {
  status: string;
  serial: string | null;
  pem: string | null;
  fingerprint: string | null;
  not_after: Date | null;
  failure: string | null;
  slot: number | null;
};
const certificate = async (): Promise<Row> => {
  const [row] = await application.rows<Row>(
    'select status, serial, pem, fingerprint_sha256 as fingerprint, not_after, failure, slot from certificate where id = $1',
    [certificateId],
  );
  if (!row) throw new Error('No certificate');
  return row;
};
const issue = (issuer: Issuer = application.issuer) =>
  issueCertificate(application.orm.em.fork(), { certificateId, issuer, now: application.clock.now() });
const issuedEntries = () =>
  application.rows("select 1 from audit_entry where action = 'certificate.issued' and subject_id = $1", [certificateId]);

/** An issuer whose signer dies in the middle of its work. */
const dyingIssuer = (): Issuer => ({
  ...application.issuer,
  signer: { ...application.issuer.signer, sign: () => Promise.reject(new Error('power cut')) },
});

describe('issuing a certificate', () => {
  test('twice one after the other has effect once', async () => {
    await issue();
    const first = await certificate();
    application.clock.advance(60_000);
    await issue();
    expect(await certificate()).toEqual(first);
    expect(await issuedEntries()).toHaveLength(1);
  });

  test('ten times at the same moment has effect once', async () => {
    await Promise.all(Array.from({ length: 10 }, () => issue()));
    const row = await certificate();
    expect(row.status).toBe('issued');
    expect(new X509Certificate(row.pem ?? '').serialNumber.toLowerCase()).toBe(row.serial);
    expect(await issuedEntries()).toHaveLength(1);
  });

  test('after a crash between reserving the serial and signing keeps serial and validity', async () => {
    await expect(issue(dyingIssuer())).rejects.toThrow('power cut');
    const reserved = await certificate();
    expect(reserved).toMatchObject({ status: 'pending', serial: expect.stringMatching(/^[0-9a-f]{32}$/), pem: null });
    expect(await issuedEntries()).toHaveLength(0);
    application.clock.advance(60_000);
    await issue();
    const issued = await certificate();
    expect(issued).toMatchObject({ status: 'issued', serial: reserved.serial, not_after: reserved.not_after });
    expect(new X509Certificate(issued.pem ?? '').serialNumber.toLowerCase()).toBe(reserved.serial);
  });

  test('gives each certificate a positive serial of its own with 16 bytes', async () => {
    await issue();
    const serials = (await application.rows<{ serial: string }>('select serial from certificate where serial is not null')).map(
      ({ serial }) => serial,
    );
    expect(new Set(serials).size).toBe(serials.length);
    for (const serial of serials) expect(serial).toMatch(/^[0-7][0-9a-f]{31}$/);
  });

  test('of one that does not exist does nothing', async () => {
    const everything = () =>
      Promise.all([application.rows('select * from certificate order by id'), application.rows('select * from audit_entry order by id')]);
    const before = await everything();
    await issueCertificate(application.orm.em.fork(), {
      certificateId: 'crt_none',
      issuer: application.issuer,
      now: application.clock.now(),
    });
    expect(await everything()).toEqual(before);
  });
});

test('two certificates of a client that are issued at the same moment overlap for 14 days at most', async () => {
  const second = (await owner.requestCertificate(integration)).data?.id ?? '';
  const now = application.clock.now();
  const issueIt = (id: string) => issueCertificate(application.orm.em.fork(), { certificateId: id, issuer: application.issuer, now });
  await Promise.all([certificateId, second].map(issueIt));
  const rows = await application.rows<{ days: number }>(
    "select round(extract(epoch from usable_until - issued_at) / 86400)::int as days from certificate where id = any($1) and status = 'issued'",
    [[certificateId, second]],
  );
  expect(rows.map(({ days }) => days).sort((one, other) => one - other)).toEqual([14, 90]);
});

test.each([
  ['a key that its request does not name', 'public_key_der = $2', () => spkiOf(newKey())],
  ['a request for somebody else', 'csr_der = $2', () => csrDer({ key: newKey(), subject: nameOf(attribute('svc:sandbox:cli_other')) })],
  ['no request', 'csr_der = nullif($2::bytea, $2)', () => Buffer.of(0)],
  ['something that is no request', 'csr_der = $2', () => Buffer.of(0)],
  ['a request for a key of another type', `key_type = convert_from($2, 'UTF8')`, () => Buffer.from('EC P-384')],
])('storing %s gets no certificate from a worker', async (_what, change, value) => {
  for (const source of ['csr', 'est']) {
    await application.rows(`update certificate set source = '${source}', ${change} where id = $1`, [certificateId, value()]);
    await issue(dyingIssuer());
    expect(await certificate()).toMatchObject({ status: 'failed', slot: null, pem: null, fingerprint: null });
    certificateId = (await owner.requestCertificate(integration)).data?.id ?? '';
  }
});

describe('the task', () => {
  const run = (lastAttempt: boolean) =>
    issueCertificateTask({ certificateId }, { ...application.workerContext(), issuer: () => Promise.resolve(dyingIssuer()), lastAttempt });

  test('rejects so that it is tried again, and the certificate stays pending', async () => {
    await expect(run(false)).rejects.toThrow('power cut');
    expect((await certificate()).status).toBe('pending');
  });

  test('gives up after the last attempt: failed, with words, and the slot is free', async () => {
    await expect(run(true)).rejects.toThrow('power cut');
    expect(await certificate()).toMatchObject({
      status: 'failed',
      failure: expect.stringContaining('Request the certificate again'),
      slot: null,
    });
    await issue();
    expect((await certificate()).status).toBe('failed');
  });

  test('fails at once, through no fault of the owner, if the worker itself refuses to sign', async () => {
    await expect(run(false)).rejects.toThrow('power cut');
    await application.rows(`update certificate set not_before = not_before + interval '1 day' where id = $1`, [certificateId]);
    await expect(issueCertificateTask({ certificateId }, { ...application.workerContext(), lastAttempt: false })).rejects.toThrow(
      new LintRefused('certificate', ['lifetime']),
    );
    expect(await certificate()).toMatchObject({
      status: 'failed',
      failure: 'The certificate authority could not sign. Request the certificate again.',
      slot: null,
      pem: null,
    });
  });
});

test.each(['csr', 'est'])(
  'a request (%s) whose last attempt was killed fails after a week, and its slot is free; a younger one waits',
  async (source) => {
    await application.rows('update certificate set source = $2 where id = $1', [certificateId, source]);
    const end = () => endCertificates({}, application.workerContext());
    application.clock.advance(certificateLimits.certificateIssuingTime - 1_000);
    await end();
    expect((await certificate()).status).toBe('pending');
    application.clock.advance(1_000);
    await end();
    expect(await certificate()).toMatchObject({
      status: 'failed',
      slot: null,
      failure: expect.stringContaining('Request the certificate again'),
    });
    await issue();
    expect((await certificate()).status).toBe('failed');
  },
);

describe('what else is waiting', () => {
  const statusOf = async (id: string) =>
    (await application.rows<{ status: string }>('select status from certificate where id = $1', [id]))[0]?.status;
  const jobsOf = (...ids: string[]) =>
    application.rows<{ id: string }>(
      `select payload->>'certificateId' as id from graphile_worker._private_jobs where payload->>'certificateId' = any($1) order by id`,
      [ids],
    );
  const request = async (of: typeof integration) => (await owner.requestCertificate(of)).data?.id ?? '';

  beforeEach(async () => {
    const left = await application.rows<{ id: string }>("select id from certificate where status = 'pending' and id <> $1", [
      certificateId,
    ]);
    for (const { id } of left) await failCertificate(application.orm.em.fork(), id);
  });

  test('is issued with it, one certificate of each client, and its job is gone', async () => {
    const [another, third] = [await owner.createIntegration(), await owner.createIntegration()];
    const [first, second] = [await request(another), await request(another)];
    const last = await request(third);
    await application.rows("update certificate set source = 'est' where id = $1", [last]);
    await issue();
    expect(await Promise.all([certificateId, first, second, last].map(statusOf))).toEqual(['issued', 'issued', 'pending', 'issued']);
    expect(await jobsOf(first, last)).toEqual([]);
    expect(await jobsOf(second, certificateId)).toHaveLength(2);
    expect(
      await application.rows("select subject_id from audit_entry where action = 'certificate.issued' and subject_id = any($1)", [
        [first, last],
      ]),
    ).toHaveLength(2);
    await issue();
    expect(await statusOf(second)).toBe('issued');
  });

  test('and cannot be signed is left to its own job', async () => {
    const other = await request(await owner.createIntegration());
    await application.rows("update certificate set key_type = 'EC P-384' where id = $1", [other]);
    await issue();
    expect(await Promise.all([certificateId, other].map(statusOf))).toEqual(['issued', 'pending']);
    expect(await jobsOf(other)).toHaveLength(1);
    await issueCertificate(application.orm.em.fork(), { certificateId: other, issuer: application.issuer, now: application.clock.now() });
    expect(await statusOf(other)).toBe('failed');
  });

  test('is issued although the one that it comes along with cannot be', async () => {
    const other = await request(await owner.createIntegration());
    await application.rows("update certificate set key_type = 'EC P-384' where id = $1", [certificateId]);
    await issue();
    expect(await Promise.all([certificateId, other].map(statusOf))).toEqual(['failed', 'issued']);
  });

  test('comes along up to a number', async () => {
    const many = certificateLimits.certificatesIssuedAtOnce + 5;
    const clients = await Promise.all(Array.from({ length: many }, () => application.fixtures.client()));
    await application.rows(
      `select place_certificate(n, 'csr', '\\x00', null, 'EC P-256', $2, (select requested_by from certificate where id = $3), null)
         from unnest($1::int[]) n`,
      [clients.map(({ number }) => number), application.clock.now(), certificateId],
    );
    await issue();
    const begun = 'select 1 from certificate where client_number = any($1) and serial is not null';
    expect(await application.rows(begun, [clients.map(({ number }) => number)])).toHaveLength(
      certificateLimits.certificatesIssuedAtOnce - 1,
    );
  });

  test('by the time that a worker is free is issued in one transaction', async () => {
    const [begun, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow: Issuer = {
      ...application.issuer,
      signer: {
        ...application.issuer.signer,
        sign: async (data) => {
          begun.resolve();
          await go.promise;
          return application.issuer.signer.sign(data);
        },
      },
    };
    const task = (id: string, issuer: Issuer) =>
      issueCertificateTask({ certificateId: id }, { ...application.workerContext(), issuer: () => Promise.resolve(issuer) });
    const first = task(certificateId, slow);
    await begun.promise;
    const came = [await request(await owner.createIntegration()), await request(await owner.createIntegration())];
    const later = came.map((id) => task(id, application.issuer));
    go.resolve();
    await Promise.all([first, ...later]);
    const written = await application.rows<{ by: string }>('select xmin::text as by from certificate where id = any($1)', [came]);
    expect(new Set(written.map(({ by }) => by)).size).toBe(1);
    expect((await certificate()).status).toBe('issued');
  });
});

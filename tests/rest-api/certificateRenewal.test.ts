import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { failCertificate, issueCertificate } from '../../server/domain/certificate/issueCertificate.ts';
import { revokeAnyCertificate } from '../../server/domain/administration/revokeAnyCertificate.ts';
import { renewCertificate } from '../../server/domain/certificate/renewal/renewCertificate.ts';
import { renewalsOf } from '../../server/domain/certificate/renewalsOf.ts';
import { revokeCertificate } from '../../server/domain/certificate/revokeCertificate.ts';
import { factsOf, integrationStatuses } from '../../server/domain/integration/integrationStatus.ts';
import type { MailDetails } from '../../server/domain/notification/mailKinds.ts';
import type { OperatorActor } from '../../server/domain/shared/actor.ts';
import { type Environment, environments } from '../../server/domain/shared/environment.ts';
import { newId } from '../../server/domain/shared/ids.ts';
import { derElements } from '../../server/domain/shared/der/derElements.ts';
import type { MachineResponse } from '../support/clients/MachineResponse.ts';
import type { MachineClient } from '../support/clients/machineClient.ts';
import { expectProblem } from '../support/clients/problems.ts';
import { waitForLock } from '../support/database/waitForLock.ts';
import type { TestCertificate, TestClient } from '../support/world/Fixtures.ts';
import { openWorld, type MachineWorld } from '../support/world/openWorld.ts';
import { attribute, csrDer, nameOf, pemOf } from '../domain/certificate/csrFactory.ts';

/** docs/specification.md, “Renewal without a person”. */
const path = '/.well-known/est/simplereenroll';
const certsOnly = 'application/pkcs7-mime; smime-type=certs-only';
const day = 24 * 60 * 60_000;

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
});
afterAll(() => world.close());
beforeEach(() => {
  world.clock.reset();
  world.clock.stop();
});

type BackEnd = { client: TestClient; certificate: TestCertificate; machine: MachineClient };

/** A back end whose certificate holds the first slot and has 29 days left, and whose owner has switched renewal on. */
async function backEnd({ age = 61, ...client }: { age?: number; environment?: Environment; status?: string } = {}): Promise<BackEnd> {
  const made = await world.fixtures.client(client);
  await world.fixtures.sql`update client set renewal_by_est = true where number = ${made.number}`;
  await world.fixtures.override(made, 'est_requests_per_hour', 100);
  const certificate = await world.fixtures.certificate(world.authority, made, {
    notBefore: new Date(world.clock.now().getTime() - age * day),
  });
  await world.fixtures.sql`update certificate set slot = 1 where id = ${certificate.id}`;
  return { client: made, certificate, machine: world.connect(certificate) };
}

const newKey = () => generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey;
const requestOf = (commonName: string, key = newKey()) => csrDer({ key, subject: nameOf(attribute(commonName)) }).toString('base64');
const send = (machine: MachineClient, body: string | Buffer, headers: Record<string, string> = {}): Promise<MachineResponse> =>
  machine.call(path, { method: 'POST', body, headers: { 'Content-Type': 'application/pkcs10', ...headers } });

/** What the worker does for every certificate of the client that is pending. */
async function issueAll(client: TestClient): Promise<void> {
  const issuer = {
    id: world.authority.issuerId,
    signer: world.authority.signer,
    crlDistributionUrl: 'https://crl.example.com/issuing.crl',
  };
  const pending = await world.rows<{ id: string }>(`select id from certificate where client_number = $1 and status = 'pending'`, [
    client.number,
  ]);
  for (const { id } of pending) await issueCertificate(world.em(), { certificateId: id, issuer, now: world.clock.now() });
}

/** The certificates in a degenerate SignedData, read by their places. */
function certificatesIn({ text }: MachineResponse): X509Certificate[] {
  const inside = (bytes: Buffer, index: number) => derElements(bytes)[index]?.contents ?? Buffer.alloc(0);
  const signedData = inside(inside(inside(Buffer.from(text, 'base64'), 0), 1), 0);
  return derElements(inside(signedData, 3)).map(({ bytes }) => new X509Certificate(bytes));
}

const renewedBy = (certificate: X509Certificate, key: KeyObject) =>
  world.connect({
    certPem: certificate.toString() + world.authority.chainPem,
    keyPem: key.export({ format: 'pem', type: 'pkcs8' }).toString(),
  });
const certificatesOf = ({ number }: TestClient) =>
  world.rows<{ id: string; source: string; status: string }>(
    'select id, source, status from certificate where client_number = $1 order by requested_at',
    [number],
  );

test('a back end renews its certificate: 202 until a worker has signed, then the same request gets it, and the old one works for 14 days', async () => {
  const { client, certificate, machine } = await backEnd();
  const key = newKey();
  const request = requestOf(client.commonName, key);
  const accepted = await send(machine, request);
  expect(accepted).toMatchObject({ status: 202, headers: { 'retry-after': '5', 'content-type': 'text/plain; charset=utf-8' } });
  world.clock.advance(90_000);
  expect(await send(machine, request)).toMatchObject({ status: 202, headers: { 'retry-after': '90' } });
  world.clock.advance(day);
  expect(await send(machine, request)).toMatchObject({ status: 202, headers: { 'retry-after': '900' } });
  await issueAll(client);
  const answers = [await send(machine, request), await send(machine, request)];
  for (const { status, headers } of answers) expect([status, headers['content-type']]).toEqual([200, certsOnly]);
  expect(answers[0]?.text).toBe(answers[1]?.text);
  const issued = certificatesIn(answers[0] as MachineResponse);
  expect(issued).toHaveLength(1);
  const [next] = issued as [X509Certificate];
  expect([next.subject, next.checkPrivateKey(key)]).toEqual([`CN=${client.commonName}`, true]);
  const renewed = renewedBy(next, key);
  const serial = async (by: MachineClient) =>
    ((await by.call('/v1/capabilities')).body as { certificate: { serial: string } }).certificate.serial;
  expect([await serial(renewed), await serial(machine)]).toEqual([next.serialNumber.toLowerCase(), certificate.serial]);
  world.clock.advance(14 * day - 1);
  expect(await serial(machine)).toBe(certificate.serial);
  world.clock.advance(1);
  expectProblem(await machine.call('/v1/capabilities'), 'client_certificate_expired');
  expect(await serial(renewed)).toBe(next.serialNumber.toLowerCase());
  expect((await certificatesOf(client)).map(({ source }) => source)).toEqual(['csr', 'est']);
});

test('the owner is mailed, and the audit trail says which certificate asked for which', async () => {
  const { client, certificate, machine } = await backEnd();
  const request = requestOf(client.commonName);
  const { headers } = await send(machine, request);
  await send(machine, request);
  const renewal = (await certificatesOf(client))[1]?.id ?? '';
  expect(
    await world.rows('select operator_id, details from mail where kind = $1 and subject_id = $2', ['certificate_renewal', renewal]),
  ).toEqual([
    {
      operator_id: client.operatorId,
      details: { environment: 'sandbox', commonName: client.commonName, certificateId: renewal, renewedSerial: certificate.serial },
    },
  ]);
  expect(
    await world.rows('select action, actor_type, actor_id, operator_id, request_id, details from audit_entry where subject_id = $1', [
      renewal,
    ]),
  ).toEqual([
    {
      action: 'certificate.requested',
      actor_type: 'client',
      actor_id: client.id,
      operator_id: client.operatorId,
      request_id: headers['x-request-id'],
      details: { environment: 'sandbox', keyType: 'EC P-256', renews: certificate.id },
    },
  ]);
});

test('before two thirds of the lifetime it is too early, and the problem says from when on it is not', async () => {
  const { client, machine } = await backEnd({ age: 59 });
  const request = requestOf(client.commonName);
  const [{ from }] = (await world.rows<{ from: string }>(
    `select to_char(not_before + interval '60 days', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as from from certificate where client_number = $1`,
    [client.number],
  )) as [{ from: string }];
  const wait = Date.parse(from) - world.clock.now().getTime();
  expectProblem(await send(machine, request), 'renewal_too_early', { renewable_from: from, detail: expect.stringContaining(from) });
  world.clock.advance(wait - 1);
  expectProblem(await send(machine, request), 'renewal_too_early', { renewable_from: from });
  expect(await certificatesOf(client)).toHaveLength(1);
  world.clock.advance(1);
  expect((await send(machine, request)).status).toBe(202);
});

test('nothing is renewed while the owner has it switched off, and not even a certificate that was requested before is handed out', async () => {
  const { client, machine } = await backEnd();
  await world.fixtures.sql`update client set renewal_by_est = false where number = ${client.number}`;
  const request = requestOf(client.commonName);
  expectProblem(await send(machine, request), 'renewal_not_enabled');
  expect(await certificatesOf(client)).toHaveLength(1);
  await world.fixtures.sql`update client set renewal_by_est = true where number = ${client.number}`;
  expect((await send(machine, request)).status).toBe(202);
  await issueAll(client);
  await world.fixtures.sql`update client set renewal_by_est = false where number = ${client.number}`;
  expectProblem(await send(machine, request), 'renewal_not_enabled');
});

test('a request for another client’s name is refused, in the words of the page', async () => {
  const [{ client, machine }, other] = [await backEnd(), await backEnd()];
  const detail = `The certificate request names CN=${other.client.commonName}. It must be exactly ${client.commonName}.`;
  expectProblem(await send(machine, requestOf(other.client.commonName)), 'invalid_request', { errors: [{ pointer: '', detail }] });
  expect(await certificatesOf(client)).toHaveLength(1);
});

test('the same key again is refused: that of another request, of another client, or of the certificate that makes the call', async () => {
  const { client, machine } = await backEnd();
  const usedBefore = { detail: expect.stringContaining('A certificate has already been requested for this key.') };
  const key = newKey();
  const request = requestOf(client.commonName, key);
  expect((await send(machine, request)).status).toBe(202);
  await issueAll(client);
  const [next] = certificatesIn(await send(machine, request)) as [X509Certificate];
  await world.fixtures.sql`update certificate set status = 'revoked', slot = null, revoked_at = now(), revocation_reason = 'superseded'
    where client_number = ${client.number} and source = 'csr'`;
  world.clock.advance(61 * day);
  const renewed = renewedBy(next, key);
  for (const again of [request, requestOf(client.commonName, key)])
    expectProblem(await send(renewed, again), 'invalid_request', usedBefore);
  const other = await backEnd();
  expectProblem(await send(other.machine, requestOf(other.client.commonName, key)), 'invalid_request', usedBefore);
  expect(await certificatesOf(other.client)).toHaveLength(1);
});

test('a revoked certificate renews nothing, not even what it has requested already', async () => {
  const { client, certificate, machine } = await backEnd();
  const request = requestOf(client.commonName);
  expect((await send(machine, request)).status).toBe(202);
  await issueAll(client);
  await world.fixtures.revokeCertificate(certificate);
  expectProblem(await send(machine, request), 'client_certificate_revoked');
});

test.each([
  [
    'the certificate is revoked',
    'client_certificate_revoked',
    'certificate',
    `status = 'revoked', revoked_at = now(), revocation_reason = 'key_compromise'`,
  ],
  ['the owner switches renewal off', 'renewal_not_enabled', 'client', 'renewal_by_est = false'],
  ['the certificate ends', 'client_certificate_expired', 'certificate', 'usable_until = not_before'],
  ...integrationStatuses.flatMap((status) => {
    const { refusal } = factsOf(status, 'production');
    return refusal === null ? [] : [[`the integration is ${status}`, refusal, 'integration', `status = '${status}'`] as const];
  }),
] as const)('a request that was admitted just before %s renews nothing', async (_what, code, table, change) => {
  const { client, certificate, machine } = await backEnd({ environment: 'production', status: 'active' });
  const id = { certificate: certificate.id, client: client.id, integration: client.integrationId }[table];
  let waiting: Promise<MachineResponse> | undefined;
  await world.fixtures.sql.begin(async (tx) => {
    await tx`select from client where number = ${client.number} for update`;
    waiting = send(machine, requestOf(client.commonName));
    await waitForLock({ rows: (text) => world.fixtures.sql.unsafe(text) });
    await tx.unsafe(`update ${table} set ${change} where id = $1`, [id]);
  });
  expectProblem((await waiting) as MachineResponse, code);
  expect(await certificatesOf(client)).toHaveLength(1);
});

test('a request that cannot be stored for another reason than its key is not blamed on the key', async () => {
  const { client, machine } = await backEnd();
  await world.rows(`create unique index broken on certificate (client_number) where client_number = ${client.number}`);
  try {
    expectProblem(await send(machine, requestOf(client.commonName)), 'internal_error');
  } finally {
    await world.rows('drop index broken');
  }
});

/** A certificate with its renewal and the renewal of that one, which still waits for a worker. */
async function chainOf(client: TestClient, machine: MachineClient): Promise<{ ids: string[]; renewed: MachineClient }> {
  const key = newKey();
  const request = requestOf(client.commonName, key);
  await send(machine, request);
  await issueAll(client);
  const [next] = certificatesIn(await send(machine, request)) as [X509Certificate];
  world.clock.advance(61 * day);
  const renewed = renewedBy(next, key);
  expect((await send(renewed, requestOf(client.commonName))).status).toBe(202);
  return { ids: (await certificatesOf(client)).map(({ id }) => id), renewed };
}

const actorOf = ({ operatorId }: TestClient, roles: OperatorActor['roles'] = []): OperatorActor => ({
  type: 'operator',
  operatorId,
  roles,
  ip: '127.0.0.1',
  requestId: 'req_test',
});
const revocationsOf = (ids: readonly string[]) =>
  world.rows(
    `select subject_id as id, details from audit_entry where subject_id = any($1) and action = 'certificate.revoked' order by array_position($1, subject_id)`,
    [ids],
  );

test('with a stolen certificate, everything is revoked that was renewed from it, also by way of others; the trail says why', async () => {
  const { client, certificate, machine } = await backEnd();
  const { ids, renewed } = await chainOf(client, machine);
  const [first, second, third] = ids as [string, string, string];
  const names = async (id: string) => (await renewalsOf(world.em(), [id], world.clock.now())).flat().map((each) => each.id);
  expect([await names(first), await names(second), await names(third)]).toEqual([[second, third], [third], []]);
  const revoke = { actor: actorOf(client), certificateId: certificate.id, reason: 'key_compromise', now: world.clock.now() } as const;
  await revokeCertificate(world.em(), revoke);
  expect((await certificatesOf(client)).map(({ status }) => status)).toEqual(['revoked', 'revoked', 'revoked']);
  expectProblem(await renewed.call('/v1/capabilities'), 'client_certificate_revoked');
  await issueAll(client);
  expect((await certificatesOf(client)).map(({ status }) => status)).toEqual(['revoked', 'revoked', 'revoked']);
  expect(await revocationsOf(ids)).toEqual([
    { id: first, details: { reason: 'key_compromise' } },
    { id: second, details: { reason: 'key_compromise', renewedFrom: first } },
    { id: third, details: { reason: 'key_compromise', renewedFrom: first } },
  ]);
});

test('an administrator who revokes a stolen certificate revokes its renewals, and the owner’s mail counts them', async () => {
  const [{ client, certificate, machine }, { client: other }] = [await backEnd(), await backEnd()];
  const { ids } = await chainOf(client, machine);
  const actor = actorOf(other, ['administrator']);
  const words = { revocationReason: 'key_compromise', reason: 'The key was published.' } as const;
  await revokeAnyCertificate(world.em(), { actor, certificateId: certificate.id, ...words, now: world.clock.now() });
  expect(await revocationsOf(ids)).toMatchObject([{ details: words }, { details: { ...words, renewedFrom: ids[0] } }, { id: ids[2] }]);
  const mails = await world.rows<{ details: MailDetails['certificates_revoked'] }>(
    `select details from mail where kind = 'certificates_revoked' and operator_id = $1`,
    [client.operatorId],
  );
  expect(mails).toMatchObject([{ details: { certificates: 3, which: 'one', serial: certificate.serial } }]);
});

test.each(['superseded', 'cessation_of_operation', 'unspecified'] as const)(
  'revoking a certificate as %s keeps its renewals, and what was renewed from a renewal can still be revoked',
  async (reason) => {
    const { client, certificate, machine } = await backEnd();
    const { ids } = await chainOf(client, machine);
    const [, second] = ids as [string, string, string];
    await revokeCertificate(world.em(), { actor: actorOf(client), certificateId: certificate.id, reason, now: world.clock.now() });
    expect((await certificatesOf(client)).map(({ status }) => status)).toEqual(['revoked', 'issued', 'pending']);
    const stolen = { actor: actorOf(client), certificateId: second, reason: 'key_compromise', now: world.clock.now() } as const;
    await revokeCertificate(world.em(), stolen);
    expect((await certificatesOf(client)).map(({ status }) => status)).toEqual(['revoked', 'revoked', 'revoked']);
  },
);

test('a renewal that is being requested while its certificate is revoked as stolen does not survive it', async () => {
  const { client, certificate } = await backEnd();
  // Freeing a slot would wait for the new row's reference by itself.
  await world.fixtures.sql`update certificate set slot = null where id = ${certificate.id}`;
  let revoking: Promise<unknown> | undefined;
  await world.fixtures.sql.begin(async (tx) => {
    await tx`select from client where number = ${client.number} for no key update`;
    await tx`insert into certificate (id, client_number, slot, source, status, key_type, requested_at, requested_by, renews)
      values (${newId('crt')}, ${client.number}, 2, 'est', 'pending', 'EC P-256', ${world.clock.now()}, ${client.operatorId}, ${certificate.id})`;
    const revoke = { actor: actorOf(client), certificateId: certificate.id, reason: 'key_compromise', now: world.clock.now() } as const;
    revoking = revokeCertificate(world.em(), revoke);
    await waitForLock({ rows: (text) => world.fixtures.sql.unsafe(text) });
  });
  await revoking;
  expect((await certificatesOf(client)).map(({ status }) => status)).toEqual(['revoked', 'revoked']);
});

test('an owner who has requested as many certificates as a day allows does not keep the back end from renewing', async () => {
  const { client, machine } = await backEnd();
  const now = world.clock.now();
  await world.fixtures
    .sql`insert into certificate (id, client_number, source, status, key_type, requested_at, requested_by, revoked_at, revocation_reason)
    select 'crt_' || md5(${client.id} || n), ${client.number}::int, 'csr', 'revoked', 'EC P-256', ${now}::timestamptz, ${client.operatorId}, ${now}::timestamptz, 'superseded'
      from generate_series(1, 20) n`;
  expect((await send(machine, requestOf(client.commonName))).status).toBe(202);
});

test('a renewal that was revoked is not handed out again', async () => {
  const { client, machine } = await backEnd();
  const request = requestOf(client.commonName);
  await send(machine, request);
  await issueAll(client);
  await world.fixtures.sql`update certificate set status = 'revoked', slot = null, revoked_at = now(), revocation_reason = 'key_compromise'
    where client_number = ${client.number} and source = 'est'`;
  expectProblem(await send(machine, request), 'invalid_request');
});

test('of two requests at once with different keys one gets the free slot; the same request twice is one', async () => {
  const { client, machine } = await backEnd();
  const answers = await Promise.all([0, 1].map(() => send(machine, requestOf(client.commonName))));
  expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
  expectProblem(answers.find(({ status }) => status === 409) as MachineResponse, 'certificate_limit_reached');
  expect(await certificatesOf(client)).toHaveLength(2);
  const twice = await backEnd();
  const request = requestOf(twice.client.commonName);
  const same = await Promise.all([0, 1, 2].map(() => send(twice.machine, request)));
  expect(same.map(({ status }) => status)).toEqual([202, 202, 202]);
  expect(await certificatesOf(twice.client)).toHaveLength(2);
});

test('the same request that is stored between any two statements of a renewal is one', async () => {
  const database = world.em().getConnection().getClient();
  const executeQuery = database.executeQuery.bind(database);
  const clock = { now: () => world.clock.now() };
  for (let at = 0; at < 3; at += 1) {
    const { client, certificate } = await backEnd();
    const actor = { type: 'client', clientId: client.id, certificateId: certificate.id, ip: '192.0.2.1', requestId: newId('req') } as const;
    const asked = { actor, csrDer: Buffer.from(requestOf(client.commonName), 'base64'), clock };
    let statements = 0;
    const spy = jest.spyOn(database, 'executeQuery').mockImplementation(async (query) => {
      if (statements++ === at) await renewCertificate(world.em(), asked);
      return executeQuery(query);
    });
    expect(await renewCertificate(world.em(), asked)).toMatchObject({ state: 'pending' });
    spy.mockRestore();
    expect(statements).toBeGreaterThan(at);
    expect(await certificatesOf(client)).toHaveLength(2);
  }
});

test('a request is judged while nothing is locked, and not at all where there is no slot', async () => {
  const { client, machine } = await backEnd();
  const bad = requestOf('svc:sandbox:somebody-else');
  const [held, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const holding = world.fixtures.sql.begin(async (tx) => {
    await tx`select 1 from client where number = ${client.number} for update`;
    held.resolve();
    await release.promise;
  });
  await held.promise;
  expectProblem(await send(machine, bad), 'invalid_request');
  release.resolve();
  await holding;
  await send(machine, requestOf(client.commonName));
  expectProblem(await send(machine, bad), 'certificate_limit_reached');
});

test('there is no third slot until the older certificate has ended', async () => {
  const { client, machine } = await backEnd();
  const key = newKey();
  const second = requestOf(client.commonName, key);
  await send(machine, second);
  await issueAll(client);
  const [next] = certificatesIn(await send(machine, second)) as [X509Certificate];
  const third = requestOf(client.commonName);
  expectProblem(await send(machine, third), 'certificate_limit_reached');
  expect(await certificatesOf(client)).toHaveLength(2);
  world.clock.advance(61 * day);
  expect((await send(renewedBy(next, key), third)).status).toBe(202);
});

test('a request whose issuance failed can be sent again', async () => {
  const { client, machine } = await backEnd();
  const request = requestOf(client.commonName);
  await send(machine, request);
  await failCertificate(world.em(), (await certificatesOf(client))[1]?.id ?? '');
  expect((await send(machine, request)).status).toBe(202);
  await issueAll(client);
  expect((await send(machine, request)).status).toBe(200);
});

describe.each(environments)('in %s', (environment) => {
  test.each(integrationStatuses)('an integration that is %s renews if its calls are answered', async (status) => {
    const { client, machine } = await backEnd({ environment, status });
    const answer = await send(machine, requestOf(client.commonName));
    const { refusal } = factsOf(status, environment);
    if (refusal === null) expect(answer.status).toBe(202);
    else expectProblem(answer, refusal);
  });
});

test('the body is base64 with any whitespace; Content-Transfer-Encoding does not count', async () => {
  const { client, machine } = await backEnd();
  const request = requestOf(client.commonName);
  const forms = [
    [request, {}],
    [`${request.replaceAll(/.{1,64}/g, '$&\r\n')}\r\n`, { 'Content-Transfer-Encoding': 'base64' }],
    [` \t${request.replaceAll(/.{1,76}/g, '$&\n')}`, { 'Content-Type': 'Application/PKCS10; charset=us-ascii' }],
  ] as const;
  for (const [body, headers] of forms) expect((await send(machine, body, headers)).status).toBe(202);
  expect(await certificatesOf(client)).toHaveLength(2);
});

test.each([
  ['nothing', () => '', /base64/],
  ['bytes that are not base64', (der: Buffer) => der, /base64/],
  ['base64 that was cut off', (der: Buffer) => der.toString('base64').slice(0, -3), /base64/],
  ['a PEM block', (der: Buffer) => pemOf(der), /without the lines BEGIN and END/],
  ['a private key', () => newKey().export({ format: 'pem', type: 'pkcs8' }).toString(), /never leave your server/],
  ['two requests', (der: Buffer) => Buffer.concat([der, der]).toString('base64'), /not exactly one certificate request/],
  ['something else', () => Buffer.from('hello').toString('base64'), /certificate request/],
])('%s in place of a request is refused in words', async (_what, make, words) => {
  const { client, machine } = await backEnd();
  const detail = expect.stringMatching(words);
  const body = make(csrDer({ key: newKey(), subject: nameOf(attribute(client.commonName)) }));
  expectProblem(await send(machine, body), 'invalid_request', { errors: [{ pointer: '', detail }] });
  expect(await certificatesOf(client)).toHaveLength(1);
});

test('a body of another type, with a content coding, or over 16 KiB is refused', async () => {
  const { client, machine } = await backEnd();
  const request = requestOf(client.commonName);
  expectProblem(await send(machine, request, { 'Content-Type': 'application/json' }), 'unsupported_media_type', {
    detail: 'Send Content-Type: application/pkcs10.',
  });
  expectProblem(await send(machine, request, { 'Content-Encoding': 'gzip' }), 'unsupported_media_type');
  expectProblem(await send(machine, 'A'.repeat(16 * 1024 + 1)), 'content_too_large');
});

test('ten requests an hour are admitted over all paths of EST, and other requests are none of them', async () => {
  const { client, machine } = await backEnd();
  await world.fixtures.sql`delete from quota_override where client_number = ${client.number}`;
  const request = requestOf(client.commonName);
  for (let turn = 0; turn < 8; turn += 1) expect((await send(machine, request)).status).toBe(202);
  for (const name of ['csrattrs', 'cacerts']) expect((await machine.call(`/.well-known/est/${name}`)).status).toBe(200);
  const refused = await send(machine, request);
  expectProblem(refused, 'rate_limit_exceeded', { violated_policies: ['est'], retry_after_seconds: 3600 });
  expect(refused.headers['ratelimit-policy']).toBe('"minute";q=20;w=60, "est";q=10;w=3600');
  expect((await machine.call('/v1/capabilities')).status).toBe(200);
  world.clock.advance(60 * 60_000);
  await issueAll(client);
  expect((await send(machine, request)).status).toBe(200);
});

test('the authorities are told to anybody; a caller that presents a certificate is checked as everywhere', async () => {
  const { certificate, machine } = await backEnd();
  const anonymous = world.connect();
  const answer = await anonymous.call('/.well-known/est/cacerts');
  expect([answer.status, answer.headers['content-type'], answer.headers['ratelimit']]).toEqual([200, certsOnly, undefined]);
  const authorities = await world.rows<{ certificate_pem: string }>(
    'select certificate_pem from certificate_authority where not_after > now()',
  );
  expect(
    certificatesIn(answer)
      .map(({ fingerprint256 }) => fingerprint256)
      .sort(),
  ).toEqual(authorities.map(({ certificate_pem }) => new X509Certificate(certificate_pem).fingerprint256).sort());
  expect((await anonymous.call('/.well-known/est/cacerts', { method: 'HEAD' })).status).toBe(200);
  const etag = answer.headers['etag'] ?? '';
  for (const caller of [anonymous, machine]) {
    const headers = { 'If-None-Match': `"other", W/${etag}`, 'Accept-Encoding': 'gzip' };
    const unchanged = await caller.call('/.well-known/est/cacerts', { headers });
    expect([unchanged.status, unchanged.text, unchanged.headers['etag']]).toEqual([304, '', etag]);
    expect(unchanged.headers['cache-control']).toBe('private, no-cache');
    const other = await caller.call('/.well-known/est/cacerts', { headers: { 'If-None-Match': '"other"' } });
    expect([other.status, other.text]).toEqual([200, answer.text]);
  }
  expectProblem(await anonymous.call('/.well-known/est/cacerts?x=1'), 'invalid_request');
  expect((await machine.call('/.well-known/est/cacerts')).text).toBe(answer.text);
  await world.fixtures.revokeCertificate(certificate);
  expectProblem(await machine.call('/.well-known/est/cacerts'), 'client_certificate_revoked');
  for (const name of ['csrattrs', 'simpleenroll', 'simplereenroll'])
    expectProblem(await anonymous.call(`/.well-known/est/${name}`), 'client_certificate_required');
});

test('the authorities count against the limit of an address that presents no certificate', async () => {
  const anonymous = world.connect(undefined, await world.secondApi({ unauthenticatedRequestsPerMinute: 2 }));
  const statuses: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) statuses.push((await anonymous.call('/.well-known/est/cacerts')).status);
  expect(statuses).toEqual([200, 200, 429]);
});

test('the attributes recommend an EC P-256 key and a signature with SHA-256', async () => {
  const { machine } = await backEnd();
  const { status, headers, text } = await machine.call('/.well-known/est/csrattrs');
  expect([status, headers['content-type']]).toEqual([200, 'application/csrattrs']);
  expect(Buffer.from(text, 'base64').toString('hex')).toBe('3021301506072a8648ce3d0201310a06082a8648ce3d03010706082a8648ce3d040302');
});

/** The script of the guide, as a reader saves it, for this machine API. */
async function guideScript(): Promise<string> {
  const guide = await readFile('docs/guides/certificate-renewal.md', 'utf8');
  const script = /^```sh\n(#!\/bin\/sh\n.*?)^```$/ms.exec(guide)?.[1] ?? '';
  expect(script).toContain('base={base_url}');
  return script.replace('{base_url}', `${world.machineApiUrl}/v1`);
}

/** Runs it with the folder of its certificates, as systemd does. */
async function runScript(folder: string): Promise<{ code: number; said: string }> {
  const child = spawn('/bin/sh', [join(folder, '..', 'renew-svc-certificate'), folder], {
    env: { PATH: process.env['PATH'], CURL_CA_BUNDLE: join(folder, '..', 'authority.pem') },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  return { code, said };
}

/** OpenSSL draws a line when it makes a key. */
const quietly = { code: 0, said: expect.stringMatching(/^(?:-----\n)?$/) };

/** A server that is set up as the guide says. */
async function server(mine: BackEnd): Promise<string> {
  const home = await mkdtemp(join(world.folder, 'renewal-'));
  const folder = join(home, 'svc-certificate');
  await mkdir(join(folder, 'first'), { recursive: true });
  await writeFile(join(folder, 'first', 'client.key'), mine.certificate.keyPem);
  await writeFile(join(folder, 'first', 'client.pem'), mine.certificate.certPem);
  await symlink('first', join(folder, 'current'));
  await writeFile(join(home, 'authority.pem'), world.tls.caPem);
  await writeFile(join(home, 'renew-svc-certificate'), await guideScript());
  return folder;
}

test('the script of the guide renews a certificate, word by word, once it is due, and does nothing after that', async () => {
  const mine = await backEnd();
  const folder = await server(mine);
  // It is told to wait, until a worker has signed.
  const first = runScript(folder);
  while ((await certificatesOf(mine.client)).length < 2) await setTimeout(50);
  await issueAll(mine.client);
  expect(await first).toEqual(quietly);
  const link = await readlink(join(folder, 'current'));
  expect(link).toMatch(/^\d{4}-\d\d-\d\dT\d{6}Z$/);
  const [keyPem, certPem] = await Promise.all(['client.key', 'client.pem'].map((name) => readFile(join(folder, link, name), 'utf8')));
  const renewed = world.connect({ certPem: certPem ?? '', keyPem: keyPem ?? '' });
  const { body } = await renewed.call('/v1/capabilities');
  expect(body).toMatchObject({ certificate: { id: (await certificatesOf(mine.client))[1]?.id } });
  expect((await stat(join(folder, link, 'client.key'))).mode & 0o077).toBe(0);
  expect(await readdir(folder)).toContain('renewed');
  // The next day there is nothing to do.
  const before = await readdir(folder);
  expect(await runScript(folder)).toEqual(quietly);
  expect(await readdir(folder)).toEqual(before);
  expect(await certificatesOf(mine.client)).toHaveLength(2);
  // A run that was interrupted right before the switch is made good, without a third certificate.
  await rm(join(folder, 'renewed'));
  await rm(join(folder, 'current'));
  await symlink('first', join(folder, 'current'));
  await symlink(link, join(folder, 'link'));
  expect(await runScript(folder)).toEqual(quietly);
  expect(await readlink(join(folder, 'current'))).toBe(link);
  expect((await readdir(folder)).toSorted()).toEqual(before.toSorted());
}, 120_000);

test('the script of the guide says what was refused, and goes on with the same key and request', async () => {
  const mine = await backEnd();
  const folder = await server(mine);
  await world.rows('update client set renewal_by_est = false where number = $1', [mine.client.number]);
  const refused = await runScript(folder);
  expect(refused.code).toBe(1);
  expect(refused.said).toContain('renewal_not_enabled');
  const request = await readFile(join(folder, 'next', 'request.b64'), 'utf8');
  await world.rows('update client set renewal_by_est = true where number = $1', [mine.client.number]);
  const second = runScript(folder);
  while ((await certificatesOf(mine.client)).length < 2) await setTimeout(50);
  await issueAll(mine.client);
  expect(await second).toEqual(quietly);
  expect(await readFile(join(folder, 'current', 'request.b64'), 'utf8')).toBe(request);
}, 120_000);

test('the script of the guide puts a request aside that is refused for what it is, and makes another one in its next run', async () => {
  const mine = await backEnd();
  const folder = await server(mine);
  const spoilt = Buffer.from('no request').toString('base64');
  await mkdir(join(folder, 'next'));
  await writeFile(join(folder, 'next', 'request.b64'), spoilt);
  const refused = await runScript(folder);
  expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('"status":400')]);
  const aside = (await readdir(folder)).find((name) => name.startsWith('refused-')) ?? '';
  expect(await readFile(join(folder, aside, 'request.b64'), 'utf8')).toBe(spoilt);
  const second = runScript(folder);
  while ((await certificatesOf(mine.client)).length < 2) await setTimeout(50);
  await issueAll(mine.client);
  expect(await second).toEqual(quietly);
  expect(await readdir(folder)).toContain('renewed');
}, 120_000);

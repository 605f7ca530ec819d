import { createPrivateKey, X509Certificate } from 'node:crypto';
import files, { lstat, readdir, readFile, stat } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { checkPair, newCertificateRequest, pemFiles, renewWhenDue } from '../../kit/src/index.ts';
import { checkCsr } from '../../server/domain/certificate/csr/csrRules.ts';
import { issueCertificate } from '../../server/domain/certificate/issueCertificate.ts';
import { kitClient, pairInFiles } from '../support/kit/kitClient.ts';
import type { TestClient } from '../support/world/Fixtures.ts';
import { openWorld, type MachineWorld } from '../support/world/openWorld.ts';

const day = 24 * 60 * 60 * 1000;

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
});
afterAll(() => world.close());
beforeEach(() => {
  world.clock.reset();
  world.clock.stop();
});

/** A back end whose certificate is so many days old of its 90, and whose owner has switched renewal on. */
async function backEnd(age: number, lifetime = 90) {
  const client = await world.fixtures.client();
  await world.fixtures.sql`update client set renewal_by_est = true where number = ${client.number}`;
  await world.fixtures.override(client, 'est_requests_per_hour', 600);
  const certificate = await world.fixtures.certificate(world.authority, client, {
    notBefore: new Date(world.clock.now().getTime() - age * day),
    notAfter: new Date(world.clock.now().getTime() + (lifetime - age) * day),
  });
  await world.fixtures.sql`update certificate set slot = 1 where id = ${certificate.id}`;
  const pair = await pairInFiles(world, certificate);
  const credentials = pemFiles(pair);
  const { client: kit, waits } = await kitClient(world, credentials);
  return { client, certificate, pair, credentials, kit, waits };
}

/** What the worker does for every certificate of the client that is pending. */
async function issueAll(client: TestClient): Promise<void> {
  const { issuerId: id, signer } = world.authority;
  const issuer = { id, signer, crlDistributionUrl: 'https://crl.example.com/issuing.crl' };
  const pending = await world.rows<{ id: string }>("select id from certificate where client_number = $1 and status = 'pending'", [
    client.number,
  ]);
  for (const each of pending) await issueCertificate(world.em(), { certificateId: each.id, issuer, now: world.clock.now() });
}

const now = () => world.clock.now();

/** The client’s certificates that came by renewal, the oldest first. */
async function renewalsOf({ number }: TestClient): Promise<string[]> {
  const statement = "select id from certificate where client_number = $1 and source = 'est' order by requested_at";
  return (await world.rows<{ id: string }>(statement, [number])).map(({ id }) => id);
}

/** What is on disk at this moment, as a process that starts now would use it. */
async function onDisk({ cert, key }: { cert: string; key: string }): Promise<string> {
  const { client } = await kitClient(world, pemFiles({ cert, key }));
  return (await client.capabilities()).certificate.id;
}

test('a request is what the service accepts, and its key fits it', async () => {
  const { keyPem, requestPem } = newCertificateRequest('svc:sandbox:cli_06n8h6tzgdb0t0a1w3f5h7k9m2');
  const verdict = await checkCsr(requestPem, 'svc:sandbox:cli_06n8h6tzgdb0t0a1w3f5h7k9m2');
  expect(verdict).toMatchObject({ accepted: true });
  expect(createPrivateKey(keyPem).asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
});

test('a pair is checked before it is used: certificate, key, chain, name and environment', async () => {
  const { certificate, client } = await world.backEnd();
  const other = await world.backEnd();
  expect(checkPair(certificate.certPem, certificate.keyPem, { environment: 'sandbox' })).toMatchObject({ clientId: client.id });
  const ends =
    (certPem: string, keyPem: string, expected = {}) =>
    () =>
      checkPair(certPem, keyPem, expected);
  expect(ends('', certificate.keyPem)).toThrow('no certificate in the file');
  expect(ends(certificate.certPem.replace('MII', 'MIX'), certificate.keyPem)).toThrow('cannot be read');
  expect(ends(certificate.certPem, other.certificate.keyPem)).toThrow('not that of the certificate');
  expect(ends(certificate.certPem, 'x')).toThrow('The key cannot be read');
  expect(ends(certificate.certPem + other.certificate.certPem, certificate.keyPem)).toThrow('The chain does not fit');
  expect(ends(certificate.certPem, certificate.keyPem, { environment: 'production' })).toThrow(`is for ${client.commonName}`);
});

test('nothing is renewed before two thirds of the lifetime have passed', async () => {
  const { kit, credentials, pair } = await backEnd(59);
  expect(await renewWhenDue(kit, credentials, { now })).toMatchObject({ renewed: false, pending: false });
  expect((await lstat(pair.cert)).isSymbolicLink()).toBe(false);
});

test('a renewal puts a new pair in place that has made a call, and the next one follows it', async () => {
  const { client, certificate, kit, credentials, pair, waits } = await backEnd(61);
  // A worker signs after the longest wait of one call: the same request gets the certificate then.
  expect(await renewWhenDue(kit, credentials, { now })).toMatchObject({ renewed: false, pending: true });
  expect(waits[0]).toBe(5_000);
  expect(await onDisk(pair)).toBe(certificate.id);
  await issueAll(client);
  expect(await renewWhenDue(kit, credentials, { now })).toMatchObject({ renewed: true });
  const issued = () => renewalsOf(client);
  expect([await onDisk(pair), (await kit.capabilities()).certificate.id]).toEqual([(await issued())[0], (await issued())[0]]);
  expect((await stat(pair.key)).mode & 0o077).toBe(0);
  expect(new X509Certificate(await readFile(pair.cert)).subject).toBe(`CN=${client.commonName}`);
  // The authority above it stays in the bundle.
  expect((await readFile(pair.cert, 'utf8')).match(/BEGIN/g)).toHaveLength(certificate.certPem.match(/BEGIN/g)?.length ?? 0);

  for (let round = 1; round <= 3; round += 1) {
    world.clock.advance(61 * day);
    await renewWhenDue(kit, credentials, { now });
    await issueAll(client);
    expect(await renewWhenDue(kit, credentials, { now })).toMatchObject({ renewed: true });
    expect(await onDisk(pair)).toBe((await issued())[round]);
  }
  // The old pair is kept, and only that one.
  expect((await readdir(`${pair.cert}.pairs`)).sort()).toEqual(['3', '4', 'current']);
});

/** Lets so many changes of the file system happen, and has the next one fail, as a crash would stop there. Null if it came to that. */
async function interruptedAfter<Result>(steps: number, work: () => Promise<Result>): Promise<Result | null> {
  const changing = ['mkdir', 'open', 'rename', 'rm', 'symlink'] as const;
  const real = Object.fromEntries(changing.map((name) => [name, files[name]]));
  let left = steps;
  const stops =
    (change: (...args: unknown[]) => unknown) =>
    async (...args: unknown[]) => {
      left -= 1;
      if (left < 0) throw new Error('Interrupted.');
      return change(...args);
    };
  for (const name of changing) Object.assign(files, { [name]: stops(files[name] as (...args: unknown[]) => unknown) });
  syncBuiltinESMExports();
  try {
    return await work();
  } catch (error) {
    expect((error as Error).message).toBe('Interrupted.');
    return null;
  } finally {
    Object.assign(files, real);
    syncBuiltinESMExports();
  }
}

test('after whichever step a renewal is interrupted, the files hold a pair that works, and the next one goes on with the same request', async () => {
  const { client, kit, credentials, pair } = await backEnd(61);
  for (let renewals = 1; renewals <= 2; renewals += 1) {
    let steps = 0;
    // An interruption after the switch leaves nothing to renew.
    for (let used = ''; used === '' || used !== (await renewalsOf(client))[renewals - 1];) {
      const outcome = await interruptedAfter(steps, () => renewWhenDue(kit, credentials, { now }));
      used = await onDisk(pair);
      await issueAll(client);
      if (!outcome) steps += 1;
      // No call of this test comes near the quotas.
      world.clock.advance(60_000);
    }
    // The first renewal also turns the two files into links.
    expect(steps).toBeGreaterThan(renewals === 1 ? 15 : 5);
    expect(await onDisk(pair)).toBe((await renewalsOf(client)).at(-1));
    expect(await renewalsOf(client)).toHaveLength(renewals);
    world.clock.advance(61 * day);
  }
});

// By hand: KIT_RENEWALS=200 npm test -- tests/kit/certificates.test.ts
const renewals = Number(process.env['KIT_RENEWALS'] ?? 8);

test('through renewals in a row, no call fails, and a process that starts finds a pair that works', async () => {
  const { client, certificate, credentials, pair } = await backEnd(2.1, 3);
  await world.fixtures.override(client, 'requests_per_minute', 1_200);
  await world.fixtures.override(client, 'requests_per_hour', 36_000);
  const time = {
    now: () => world.clock.now().getTime(),
    async wait(ms: number) {
      // The worker signs while the back end waits, for three days only, because the authority does not last for 200 times 90.
      await world.fixtures.sql`
        update certificate set not_after = ${new Date(world.clock.now().getTime() + 3 * day)} where client_number = ${client.number} and status = 'pending'`;
      await issueAll(client);
      world.clock.advance(ms);
    },
  };
  const { client: kit } = await kitClient(world, credentials, { time });
  const { client: other } = await kitClient(world, credentials);
  const used = new Set<string>();
  const failures: unknown[] = [];
  let [calls, most, going] = [0, 0, true];
  const calling = (async () => {
    while (going && failures.length === 0) {
      // A few for each renewal, because the clock stands still for the quotas, too.
      if (calls >= most) await new Promise((resolve) => void setImmediate(resolve));
      else
        await other.capabilities().then(
          (answer) => used.add(answer.certificate.id),
          (error) => failures.push(error),
        );
      if (calls < most) calls += 1;
    }
  })();
  try {
    for (let renewal = 0; renewal < renewals; renewal += 1) {
      most = calls + 40;
      expect(await renewWhenDue(kit, credentials, { now })).toMatchObject({ renewed: true });
      expect(await onDisk(pair)).toBe((await renewalsOf(client)).at(-1));
      most = calls + 2;
      while (calls < most && failures.length === 0) await new Promise((resolve) => void setImmediate(resolve));
      expect(failures).toEqual([]);
      world.clock.advance(2.1 * day);
    }
  } finally {
    going = false;
  }
  await calling;
  expect(failures).toEqual([]);
  expect([...used]).toEqual([certificate.id, ...(await renewalsOf(client))]);
  expect(used.size).toBe(renewals + 1);
  expect(calls).toBeGreaterThan(renewals);
  if (process.env['KIT_RENEWALS'] !== undefined) process.stderr.write(`${renewals} renewals, ${calls} calls, ${failures.length} failed\n`);
}, 600_000);

test('a process that starts in the very moment of a renewal finds a pair that works, never half of two', async () => {
  const { client, certificate } = await world.backEnd();
  const pair = await pairInFiles(world, certificate);
  const newer = await pairInFiles(world, await world.fixtures.certificate(world.authority, client));
  const { readFile: read } = files;
  const switched = Promise.withResolvers<undefined>();
  const switching = async (...args: Parameters<typeof read>) => {
    if (args[0] === pair.key) await switched.promise;
    const content = await read(...args);
    if (args[0] === pair.cert) await Promise.all([files.rename(newer.cert, pair.cert), files.rename(newer.key, pair.key)]).catch(() => {});
    switched.resolve(undefined);
    return content;
  };
  Object.assign(files, { readFile: switching });
  syncBuiltinESMExports();
  const identity = await pemFiles(pair)
    .current()
    .finally(() => {
      Object.assign(files, { readFile: read });
      syncBuiltinESMExports();
    });
  expect('cert' in identity.tls && new X509Certificate(identity.tls.cert).checkPrivateKey(createPrivateKey(identity.tls.key))).toBe(true);
});

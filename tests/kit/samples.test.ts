import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { buildSandboxCorpus } from '../../server/domain/sandbox/corpus/buildSandboxCorpus.ts';
import { regenerateSandboxCorpus } from '../../server/domain/sandbox/corpus/regenerateSandboxCorpus.ts';
import { canRunSample, password } from '../support/clients/sampleRunner.ts';
import { Sharing } from '../support/feed/sharing.ts';
import { bytesOf, type DeliveryVector } from '../support/kit/deliveryVectors.ts';
import { requestedCorpus } from '../support/world/sandboxFixtures.ts';
import type { TestCertificate, TestClient } from '../support/world/Fixtures.ts';
import { openWorld, type MachineWorld } from '../support/world/openWorld.ts';

const run = promisify(execFile);
const languages = ['python', 'go', 'java', 'curl'] as const;
type SampleLanguage = (typeof languages)[number];

type Copy = {
  readonly cursor: string | null;
  readonly resources: Readonly<Record<string, { readonly revision: number }>>;
  readonly deletions: Readonly<Record<string, { readonly complete: boolean; readonly outcome?: string }>>;
};
type Deliveries = { url: string; source: string; received_at: string; jwks: object; vectors: DeliveryVector[] };
const deliveries = JSON.parse(readFileSync('kit/vectors/deliveries.json', 'utf8')) as Deliveries;

let world: MachineWorld;
let sharing: Sharing;
beforeAll(async () => {
  world = await openWorld({ machine: true });
  sharing = new Sharing(world);
});
afterAll(() => world?.close());

/** What starts a sample, compiled where its language asks for it. */
async function built(language: SampleLanguage): Promise<readonly string[]> {
  if (language === 'python') return ['python3', '-B', resolve('kit/samples/python/sync.py')];
  if (language === 'curl') return ['sh', resolve('kit/samples/curl/operator.sh')];
  const folder = join(world.folder, `sample-${language}`);
  mkdirSync(folder);
  if (language === 'go') {
    await run('go', ['build', '-o', join(folder, 'sync'), './sync'], { cwd: 'kit/samples/go' });
    return [join(folder, 'sync')];
  }
  await run('javac', ['-d', folder, 'kit/samples/java/Operator.java']);
  const trust = ['-Djavax.net.ssl.trustStore=trust.p12', '-Djavax.net.ssl.trustStorePassword=changeit'];
  return ['java', '-XX:TieredStopAtLevel=1', ...trust, '-cp', folder, 'Operator'];
}

/** A folder with a certificate in every form, and what the sample is told by its environment. */
async function folderOf(language: SampleLanguage, { certPem, keyPem }: TestCertificate): Promise<string> {
  const folder = join(world.folder, `operator-${language}-${(folders += 1)}`);
  mkdirSync(folder);
  for (const [name, text] of [
    ['client.pem', certPem],
    ['client.key', keyPem],
    ['ca.pem', world.machineApiCa],
  ] as const) {
    writeFileSync(join(folder, name), text);
  }
  if (language === 'java') {
    const p12 = ['pkcs12', '-export', '-inkey', 'client.key', '-in', 'client.pem', '-out', 'client.p12', '-passout', `pass:${password}`];
    await run('openssl', p12, { cwd: folder });
    const trust = ['-importcert', '-noprompt', '-alias', 'svc', '-file', 'ca.pem', '-keystore', 'trust.p12', '-storepass', 'changeit'];
    await run('keytool', trust, { cwd: folder });
  }
  return folder;
}
let folders = 0;

const { PATH, HOME } = process.env;
const settings = () => ({
  PATH,
  HOME,
  BASE_URL: `${world.machineApiUrl}/v1`,
  ENVIRONMENT: 'sandbox',
  CERT: 'client.pem',
  KEY: 'client.key',
  CA: 'ca.pem',
  CURL_CA_BUNDLE: 'ca.pem',
  P12: 'client.p12',
  P12_PASSWORD: password,
});

describe.each(languages)('the sample in %s', (language) => {
  if (!canRunSample(language)) {
    test.skip(`is not run, because this machine cannot run ${language}`, () => {});
    return;
  }
  let command: readonly string[];
  let client: TestClient;
  let folder: string;
  beforeAll(async () => {
    command = await built(language);
    const back = await world.backEnd();
    client = back.client;
    await world.fixtures.override(client, 'requests_per_minute', 1_000);
    folder = await folderOf(language, back.certificate);
  }, 240_000);

  const call = async (args: readonly string[], env: Record<string, string> = {}) => {
    const [program = '', ...first] = command;
    return (await run(program, [...first, ...args], { cwd: folder, env: { ...settings(), ...env } })).stdout;
  };
  const copy = () => JSON.parse(readFileSync(join(folder, 'copy.json'), 'utf8')) as Copy;
  const revisions = () => Object.fromEntries(Object.entries(copy().resources).map(([id, { revision }]) => [id, Number(revision)]));
  /** What the service says that the client may see. */
  async function shared(): Promise<Record<string, number>> {
    const { machine } = await reader();
    const found: Record<string, number> = {};
    for (let path = '/v1/sync'; ;) {
      const page = (await machine.call(path)).body as {
        upserts: { id: string; revision: number }[];
        next_cursor: string;
        has_more: boolean;
      };
      for (const { id, revision } of page.upserts) found[id] = revision;
      if (!page.has_more) return found;
      path = `/v1/sync?updated_since=${page.next_cursor}`;
    }
  }
  const reader = async () => ({ machine: world.connect(await world.fixtures.certificate(world.authority, client)) });

  test('keeps a copy, deletes what is revoked, and acknowledges it once it is gone', async () => {
    await world.fixtures.share(client, await world.fixtures.connection(client), 520);
    const [one, whole] = [await sharing.share(client, { orders: 2 }), await sharing.share(client, { orders: 2, vehicles: 1 })];
    await call(['pull']);
    expect(revisions()).toEqual(await shared());
    expect(Object.keys(revisions())).toHaveLength(525);
    // Nothing new: the validator of the last, empty page is sent, and the answer is 304.
    await call(['pull']);
    await call(['pull']);
    const { cursor } = copy();

    const revoked = [
      await sharing.revokeResource(client, one.orders[0] ?? ''),
      await sharing.revokeResource(client, whole.orders[0] ?? ''),
      await sharing.revokeConnection(client, whole.connectionId),
    ];
    await call(['pull']);
    expect(copy().cursor).not.toBe(cursor);
    expect(revisions()).toEqual(await shared());
    expect(Object.keys(revisions())).toHaveLength(521);
    expect(Object.keys(copy().deletions).sort()).toEqual(revoked.toSorted());
    const acknowledged = async () =>
      (
        await world.rows<{ id: string }>('select id from revocation where client_number = $1 and acknowledged_at is not null', [
          client.number,
        ])
      ).map(({ id }) => id);
    expect(await acknowledged()).toEqual([]);
    const printed = await call(['acknowledge']);
    expect((await acknowledged()).sort()).toEqual(revoked.toSorted());
    for (const id of revoked) expect(printed).toMatch(new RegExp(`^${id} \\d{4}-`, 'm'));
    expect(await call(['acknowledge'])).toBe('');
  }, 120_000);

  test('follows the feed from its beginning when it has started over, and drops what it has not brought', async () => {
    await requestedCorpus(world, { clientNumber: client.number, at: world.clock.now() });
    await buildSandboxCorpus(world.em(), { clientNumber: client.number, generation: 1, clock: world.clock });
    await call(['pull']);
    const before = Object.keys(revisions());
    expect(before.length).toBeGreaterThan(1_000);
    const actor = { type: 'operator', operatorId: client.operatorId, roles: [], ip: '192.0.2.1', requestId: 'req_test' } as const;
    await regenerateSandboxCorpus(world.em(), { actor, clientId: client.id, now: world.clock.now() });
    await buildSandboxCorpus(world.em(), { clientNumber: client.number, generation: 2, clock: world.clock });
    await call(['pull']);
    const after = await shared();
    expect(revisions()).toEqual(after);
    expect(Object.keys(after).filter((id) => before.includes(id))).toEqual([]);
  });

  test('stops where the certificate is for another environment', async () => {
    await expect(call(['pull'], { ENVIRONMENT: 'production' })).rejects.toThrow(/sandbox/);
  });

  if (language === 'java')
    test('judges every delivery of the kit’s vectors as they say', async () => {
      const lines = (await call(['verify', resolve('kit/vectors/deliveries.json')])).trimEnd().split('\n');
      expect(lines).toEqual(deliveries.vectors.map(({ name, status }) => `${status} ${name}`));
    });

  if (language === 'curl')
    test('verifies what the service sends, and nothing that was altered', async () => {
      writeFileSync(join(folder, 'jwks.json'), JSON.stringify(deliveries.jwks));
      const env = {
        BASE_URL: `${deliveries.source}/v1`,
        WEBHOOK_URL: deliveries.url,
        JWKS: 'jwks.json',
        RECEIVED_AT: String(Date.parse(deliveries.received_at) / 1000),
      };
      const wrong: string[] = [];
      const judged = deliveries.vectors.filter(({ name }) => !name.startsWith('rule 1'));
      for (const vector of judged) {
        writeFileSync(
          join(folder, 'headers'),
          Object.entries(vector.headers)
            .map(([name, value]) => `${name}: ${value}\r\n`)
            .join(''),
          'latin1',
        );
        writeFileSync(join(folder, 'body'), bytesOf(vector));
        const accepted = await call(['verify', 'headers', 'body'], env).then(
          () => true,
          () => false,
        );
        // It knows the form in which the service sends its headers, and no other.
        const expected =
          vector.status === 204 &&
          /^svc=\([^)]+\);created=\d+;keyid="[^"]+";alg="ed25519"$/.test(vector.headers['Signature-Input'] ?? '') &&
          /^svc=:[^:]+:$/.test(vector.headers['Signature'] ?? '');
        if (accepted !== expected) wrong.push(`${vector.name}: ${accepted ? 'accepted' : 'refused'}`);
      }
      expect(wrong).toEqual([]);
    }, 120_000);
});

import { spawnSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { readDocumentation } from '../../../portal-web/documentation/readDocumentation.ts';
import { fillSample, placeholders } from '../../../portal-web/src/features/reference/fillSample.ts';
import { languages, type Language, type SlotValues } from '../../../portal-web/src/features/reference/referenceTypes.ts';
import { operations } from '../../../rest-api/operations.ts';
import { csrDer, nameOf, attribute } from '../../domain/certificate/csrFactory.ts';
import { canRunSample, password, runSamples } from '../../support/clients/sampleRunner.ts';
import { Sharing } from '../../support/feed/sharing.ts';
import { openWorld, type MachineWorld } from '../../support/world/openWorld.ts';

const day = 24 * 60 * 60_000;
const { operations: documented } = await readDocumentation('.');

let world: MachineWorld;
let folder: string;
let values: SlotValues;
let codes: string[];

beforeAll(async () => {
  world = await openWorld({ machine: true });
  const { fixtures, authority, machineApiUrl, machineApiCa } = world;
  const client = await fixtures.client();
  for (const quota of ['requests_per_minute', 'est_requests_per_hour', 'link_code_redemptions_per_ip_per_15_minutes'])
    await fixtures.override(client, quota, 600);
  await fixtures.sql`update client set renewal_by_est = true where number = ${client.number}`;
  const certificate = await fixtures.certificate(authority, client, { notBefore: new Date(world.clock.now().getTime() - 61 * day) });
  await fixtures.sql`update certificate set slot = 1 where id = ${certificate.id}`;
  const connection = await fixtures.connection(client);
  const [order = '', revoked = ''] = await fixtures.share(client, connection, 2);
  const [vehicle = ''] = await fixtures.share(client, connection, 1, { type: 'vehicle' });
  const revocation = await fixtures.revoke(client, connection, revoked);
  await fixtures.generation(client, { publishedAt: world.clock.now() });
  const sharing = new Sharing(world);
  codes = await Promise.all(languages.map(async () => (await sharing.code(client)).code));
  values = {
    ...placeholders({ machineApiUrl: `${machineApiUrl}/v1`, kitUrl: 'https://portal.example/kit/svc-operator-kit.tgz' }),
    name: client.commonName,
    order_id: order,
    vehicle_id: vehicle,
    revocation_id: revocation,
  };

  folder = await mkdtemp(join(tmpdir(), 'svc-samples-'));
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  const files = {
    'ca.pem': machineApiCa,
    'sandbox.pem': certificate.certPem,
    'sandbox.key': certificate.keyPem,
    'request.b64': csrDer({ key: privateKey, subject: nameOf(attribute(client.commonName)) }).toString('base64'),
  };
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  // As the Java sample says.
  const args = ['pkcs12', '-export', '-inkey', 'sandbox.key', '-in', 'sandbox.pem', '-out', 'sandbox.p12', '-passout', `pass:${password}`];
  expect(spawnSync('openssl', args, { cwd: folder }).status).toBe(0);
});
afterAll(async () => {
  await world?.close();
  if (folder) await rm(folder, { recursive: true, force: true });
});

const textOfSample = (...of: Parameters<typeof fillSample>) =>
  fillSample(...of)
    .map(([, text]) => text)
    .join('');

test('every operation of the machine API has a page with samples', () => {
  expect(documented.map(({ name, method, path }) => ({ name, method, path }))).toEqual(
    expect.arrayContaining(operations.map(({ name, method, path }) => ({ name, method, path }))),
  );
  expect(documented).toHaveLength(operations.length);
});

test('in TypeScript, the operators’ kit makes every call of /v1, and the sample says how to install it', () => {
  for (const { path, samples } of documented) {
    const text = textOfSample(samples.typescript, values);
    expect([path, text.includes("from 'svc-operator-kit';")]).toEqual([path, path.startsWith('/v1/')]);
    expect([path, text.includes('\n// npm install https://portal.example/kit/')]).toEqual([path, path.startsWith('/v1/')]);
  }
});

test.each(languages.filter(canRunSample))(
  'an operator who pastes any sample in %s gets the answer that the reference describes',
  async (language: Language) => {
    const filled = { ...values, link_code: codes[languages.indexOf(language)] ?? '' };
    const samples = documented.map(({ name, samples: written }) => ({ name, code: textOfSample(written[language], filled) }));
    const answers = await runSamples(language, folder, samples);
    const seen = documented.map(({ name }, place) => [name, answers[place]?.status]);
    expect(seen).toEqual(documented.map(({ name }) => [name, name === 'renewCertificate' ? 202 : 200]));
    for (const [place, { answers: described }] of documented.entries()) {
      const content = described[0]?.content;
      if (content?.mediaType !== 'application/json') continue;
      const members = content.fields.filter(({ name, required }) => required && !name.includes('.')).map(({ name }) => name);
      expect(Object.keys(JSON.parse(answers[place]?.body ?? '') as object)).toEqual(expect.arrayContaining(members));
    }
  },
  300_000,
);

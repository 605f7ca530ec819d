import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chainFrom, ensureAuthorities, openIssuer } from '../../../server/domain/certificate/authorities.ts';
import { currentCrlBytes } from '../../../server/domain/certificate/crl/publication/currentCrl.ts';
import { publishCrls } from '../../../server/domain/certificate/crl/publication/publishCrls.ts';
import { hasBegun } from '../../../server/domain/certificate/validity.ts';
import { authorityKeys } from '../../../server/platform/authorityKeys.ts';
import { ensureDevelopmentTls } from '../../../server/platform/developmentTls.ts';
import { openWorld } from '../../support/world/openWorld.ts';
import { signingKeys } from '../../support/world/testKeys.ts';
import type { World } from '../../support/world/World.ts';
import { P12s } from './p12/P12s.ts';

const [second, minute, day] = [1000, 60_000, 24 * 60 * 60_000];
const portalUrl = 'https://portal.example';

let world: World;
/** A whole second. */
let now: Date;
let folder: string;
let leaf: X509Certificate;
let chain: X509Certificate[];
let lists: string[];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-clocks-'));
  world = await openWorld({});
  world.clock.stop();
  world.clock.advance(second - (world.clock.now().getTime() % second));
  now = world.clock.now();
  const keys = authorityKeys(signingKeys);
  await ensureAuthorities(world.em(), { keys, portalUrl, now });
  const issuer = await openIssuer(world.em(), { keys, portalUrl, now });
  const { id } = await new P12s(world, { issuerId: issuer.id, signer: issuer.signer, chainPem: '' }).ready();
  await publishCrls(world.em(), { keys, now });
  const [certificate] = await world.rows<{ pem: string }>('select pem from certificate where id = $1', [id]);
  leaf = new X509Certificate(certificate?.pem ?? '');
  chain = (await chainFrom(world.em(), issuer.id)).map((pem) => new X509Certificate(pem));
  const authorities = await world.rows<{ id: string }>('select id from certificate_authority');
  for (const each of authorities) await writeFile(join(folder, `${each.id}.crl`), (await currentCrlBytes(world.em(), each.id)).der);
  await writeFile(join(folder, 'leaf.pem'), leaf.toString());
  await writeFile(join(folder, 'issuing.pem'), chain[0]?.toString() ?? '');
  await writeFile(join(folder, 'root.pem'), chain[1]?.toString() ?? '');
  lists = authorities.flatMap((each) => ['-CRLfile', `${each.id}.crl`]);
});
afterAll(async () => {
  await world.close();
  await rm(folder, { recursive: true });
});

/** What openssl says of the certificate, its chain and their revocation lists at this time by its own clock. */
function verdictAt(time: Date): string {
  const args = ['verify', '-x509_strict', '-crl_check_all', '-purpose', 'sslclient', '-attime', String(time.getTime() / 1000)];
  const { stdout, stderr } = spawnSync('openssl', [...args, ...lists, '-CAfile', 'root.pem', '-untrusted', 'issuing.pem', 'leaf.pem'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return `${stdout}${stderr}`;
}

test.each([
  ['five minutes slow', -5 * minute],
  ['two seconds slow', -2 * second],
  ['right', 0],
  ['five minutes fast', 5 * minute],
])('a certificate is valid at once, with its chain and all lists, for somebody whose clock is %s', (_, difference) => {
  expect(verdictAt(new Date(now.getTime() + difference))).toBe('leaf.pem: OK\n');
});

test('for a clock that is slower still it is not valid yet', () => {
  expect(verdictAt(new Date(now.getTime() - 5 * minute - second))).toContain('not yet valid');
});

test('what is set back at its beginning ends as long after the issue as it says', () => {
  const years = (count: number) => new Date(now.getTime() + count * 365 * day);
  expect([leaf, ...chain].map(({ validToDate }) => validToDate.getTime())).toEqual([
    now.getTime() + 90 * day,
    years(5).getTime(),
    years(20).getTime(),
  ]);
});

test('the authority of a development server and its certificate are set back as well', async () => {
  const { caPem, certPem } = await ensureDevelopmentTls(join(folder, 'tls'), ['localhost'], now);
  for (const pem of [caPem, certPem]) expect(new X509Certificate(pem).validFromDate.getTime()).toBe(now.getTime() - 5 * minute);
});

describe('what somebody else has signed has begun', () => {
  test.each([
    ['if their clock is five minutes fast', 5 * minute, true],
    ['if their clock is five minutes slow', -5 * minute, true],
    ['not if it is faster still', 5 * minute + second, false],
  ])('%s', (_, difference, begun) => {
    expect(hasBegun(new Date(now.getTime() + difference), now)).toBe(begun);
  });
});

test('authorities of two installations have names of their own, each with one suffix for root and issuing authority', async () => {
  const other = await openWorld({});
  try {
    const keys = authorityKeys(signingKeys);
    await ensureAuthorities(other.em(), { keys, portalUrl, now });
    const rows = await other.rows<{ pem: string }>('select certificate_pem as pem from certificate_authority order by kind');
    const names = [...chain, ...rows.map(({ pem }) => new X509Certificate(pem))].map(({ subject }) => subject);
    expect(new Set(names).size).toBe(4);
    expect(names.map((name) => name.replace(/ [0-9a-z]{8}$/, ' …'))).toEqual([
      'CN=Operator Integration Service Issuing CA …',
      'CN=Operator Integration Service Root CA …',
      'CN=Operator Integration Service Issuing CA …',
      'CN=Operator Integration Service Root CA …',
    ]);
    const suffixes = names.map((name) => name.slice(-8));
    expect([suffixes[0] === suffixes[1], suffixes[2] === suffixes[3]]).toEqual([true, true]);
  } finally {
    await other.close();
  }
});

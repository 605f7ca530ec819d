import 'reflect-metadata';
import { X509Certificate } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AsnConvert } from '@peculiar/asn1-schema';
import { CertificateList, id_ce_cRLNumber, type TBSCertList } from '@peculiar/asn1-x509';
import { X509Crl } from '@peculiar/x509';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { adminCommand } from '../../server/adminCommands.ts';
import { Authority } from '../../server/domain/certificate/Authority.ts';
import { openAuthority } from '../../server/domain/certificate/authorities.ts';
import type { CertificateSigner } from '../../server/domain/certificate/CertificateSigner.ts';
import { importCrl } from '../../server/domain/certificate/crl/publication/importCrl.ts';
import { publishCrls } from '../../server/domain/certificate/crl/publication/publishCrls.ts';
import type { CrlContent } from '../../server/domain/certificate/crl/publication/CrlContent.ts';
import { signCrl } from '../../server/domain/certificate/crl/publication/signCrl.ts';
import { derElements } from '../../server/domain/shared/der/derElements.ts';
import { der as element, tags } from '../../server/domain/shared/der/derWriting.ts';
import { DomainError } from '../../server/domain/shared/DomainError.ts';
import { terminal } from '../../server/commandArguments.ts';
import { observeKeys } from '../../server/observeKeys.ts';
import { registry } from '../../server/platform/metrics.ts';
import { firstList } from '../domain/certificate/authorityFactory.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { terminalConfig } from '../support/world/testKeys.ts';

const minute = 60_000;
const day = 24 * 60 * minute;

let world: PortalWorld;
let issuing: string;
let root: string;
beforeAll(async () => {
  world = await openWorld({ portal: true });
  world.clock.stop();
  issuing = world.authority.issuerId;
  root = issuing.replace('issuing', 'root');
});
afterAll(() => world.close());

const get = (path: string, headers: Record<string, string> = {}) => world.browser().fetch(path, { headers });
const publish = () => publishCrls(world.em(), { keys: world.workerContext().authorityKeys, now: world.clock.now() });

describe('a revocation list', () => {
  const path = () => `/crl/${issuing}.crl`;

  test.each(['/crl/issuing-none.crl', '/crl/%00.crl', "/crl/'.crl"])('of an unknown authority is not found: %s', async (unknown) => {
    const response = await get(unknown);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'not_found', detail: 'There is no such certificate authority.' });
  });

  test('that has not been made yet is not found, in words', async () => {
    const response = await get(path());
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ detail: 'This certificate authority has not published a revocation list yet.' });
  });

  test('is at the address that certificates name, and may be cached for an hour', async () => {
    const published = world.clock.now();
    await publish();
    expect(world.issuer.crlDistributionUrl).toBe(`${world.portalUrl}${path()}`);
    world.clock.advance(5_000);
    const response = await get(path());
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'application/pkix-crl',
      'cache-control': 'public, max-age=3600',
      etag: expect.stringMatching(/^"[\w-]{43}"$/),
      'last-modified': new Date(Math.floor(published.getTime() / 1000) * 1000).toUTCString(),
    });
    expect(new X509Crl(await response.arrayBuffer()).entries).toEqual([]);
    const head = await world.browser().fetch(path(), { method: 'HEAD' });
    expect([head.status, head.headers.get('etag')]).toEqual([200, response.headers.get('etag')]);
    expect(Number(head.headers.get('content-length'))).toBeGreaterThan(100);
    expect(await head.text()).toBe('');
  });

  test('is 304 for callers that have it, until the next one is made, which everybody gets at once', async () => {
    const first = await get(path());
    const [etag, modified] = [first.headers.get('etag') ?? '', first.headers.get('last-modified') ?? ''];
    const status = async (headers: Record<string, string>) => (await get(path(), headers)).status;
    expect(await status({ 'If-None-Match': etag })).toBe(304);
    expect(await status({ 'If-None-Match': `"other", W/${etag}` })).toBe(304);
    expect(await status({ 'If-None-Match': '*' })).toBe(304);
    expect(await status({ 'If-None-Match': '"other"' })).toBe(200);
    // A list of the same second, or one that was imported later than it was made, may name more certificates.
    expect(await status({ 'If-Modified-Since': modified })).toBe(200);
    expect(await status({ 'If-Modified-Since': new Date(Date.parse(modified) + day).toUTCString() })).toBe(200);
    world.clock.advance(day);
    await publish();
    const next = await get(path(), { 'If-None-Match': etag });
    expect(next.status).toBe(200);
    expect(next.headers.get('etag')).not.toBe(etag);
    expect(new X509Crl(await next.arrayBuffer()).thisUpdate.getTime()).toBe(Date.parse(modified) + day + 5_000 - 5 * minute);
  });

  test('is cached until its end at most', async () => {
    const cached = async () => (await get(path())).headers.get('cache-control');
    world.clock.advance(7 * day - 10 * minute);
    expect(await cached()).toMatch(/^public, max-age=(599|600)$/);
    world.clock.advance(11 * minute);
    expect(await cached()).toBe('public, max-age=0');
    await publish();
    expect(await cached()).toBe('public, max-age=3600');
  });

  test('has metrics that tell how old it is, when it ends, and that an authority has none', async () => {
    await world.rows('delete from certificate_revocation_list where authority_id = $1', [root]);
    world.clock.advance(60 * minute);
    await observeKeys(world.em(), world.clock.now());
    const text = await registry.metrics();
    const [age, remaining] = ['svc_crl_age_seconds', 'svc_crl_remaining_seconds'].map((name) =>
      Number(new RegExp(`^${name}\\{authority="issuing"\\} (\\S+)$`, 'm').exec(text)?.[1]),
    );
    // It counts from the beginning of the list’s validity, which is set back by five minutes.
    expect(age).toBeCloseTo(3_900, -1);
    expect(remaining).toBeCloseTo(7 * 86_400 - 3_600, -1);
    expect(text).toContain(`svc_crl_remaining_seconds{authority="root"} 0\n`);
    expect(text).not.toContain(`svc_crl_age_seconds{authority="root"}`);
    await publish();
  });
});

describe('the list of an offline root', () => {
  let signer: CertificateSigner;
  let issuingSigner: CertificateSigner;
  beforeAll(async () => {
    const keys = world.workerContext().authorityKeys;
    const [above, below] = await Promise.all([root, issuing].map((id) => world.em().findOneOrFail(Authority, { id })));
    signer = openAuthority(above as Authority, keys);
    issuingSigner = openAuthority(below as Authority, keys);
    await world.rows('update certificate_authority set wrapped_key = null where id = $1', [root]);
  });

  const seconds = (milliseconds: number) => new Date(Math.floor((world.clock.now().getTime() + milliseconds) / 1000) * 1000);
  const content = (number: bigint, changes: Partial<CrlContent> = {}): CrlContent => ({
    number,
    thisUpdate: seconds(0),
    nextUpdate: seconds(90 * day),
    revoked: [],
    ...changes,
  });
  /** Runs the terminal's command on a file with these bytes. */
  async function importFile(bytes: Buffer | string, ...count: string[]): Promise<string> {
    const file = join(world.folder, 'root.crl');
    await writeFile(file, bytes);
    return (await adminCommand(['import-crl', file, ...count])(world.em(), world.clock.now(), terminalConfig())).words;
  }
  const current = async () => {
    const response = await get(`/crl/${root}.crl`);
    return Buffer.from(await response.arrayBuffer());
  };
  /** A list of the root with other contents, signed again. */
  async function altered(change: (body: TBSCertList) => void): Promise<Buffer> {
    const list = AsnConvert.parse((await signCrl(signer, content(50n), firstList)).der, CertificateList);
    change(list.tbsCertList);
    delete list.tbsCertListRaw;
    list.signature = new Uint8Array(await signer.sign(Buffer.from(AsnConvert.serialize(list.tbsCertList)))).buffer;
    return Buffer.from(AsnConvert.serialize(list));
  }

  test('is imported on the terminal, in DER or PEM, and published', async () => {
    const { der } = await signCrl(signer, content(20n), firstList);
    expect(await importFile(der)).toMatch(
      new RegExp(`^The revocation list of ${root} with the number 20 is published\\. Import the next one before `),
    );
    expect((await current()).equals(der)).toBe(true);
    const next = (await signCrl(signer, content(21n), firstList)).der;
    await importFile(`-----BEGIN X509 CRL-----\n${next.toString('base64')}\n-----END X509 CRL-----\n`);
    expect((await current()).equals(next)).toBe(true);
    const [entry] = await world.rows(
      "select subject_id, actor_id, details from audit_entry where action = 'revocation_list.imported' order by id desc limit 1",
    );
    expect(entry).toEqual({ subject_id: root, actor_id: 'terminal', details: { number: '21', revoked: 0 } });
  });

  test('is left alone by the workers', async () => {
    const before = await current();
    world.clock.advance(2 * day);
    await publish();
    expect((await current()).equals(before)).toBe(true);
  });

  test('that revokes an authority on record says so', async () => {
    const serial = (
      await world.rows<{ certificate_pem: string }>('select certificate_pem from certificate_authority where id = $1', [issuing])
    )[0];
    const revoked = [
      { serial: new X509Certificate(serial?.certificate_pem ?? '').serialNumber, revokedAt: seconds(0), reason: 'superseded' as const },
    ];
    const { der } = await signCrl(signer, content(22n, { revoked }), firstList);
    const authorities = () => world.rows('select id, revoked_at from certificate_authority order by id');
    const before = [await authorities(), await current()];
    const shown = await importFile(der);
    const certificates = Number(/would revoke the (\d+) certificates/.exec(shown)?.[1]);
    expect(shown).toContain(`The list revokes ${issuing}. `);
    await expect(importFile(der, '--count', String(certificates + 2))).rejects.toThrow('Nothing has been done.');
    expect([await authorities(), await current()]).toEqual(before);
    expect(await importFile(der, '--count', String(certificates + 1))).toContain(
      `It revokes ${issuing}: the service does not trust that any more`,
    );
  });

  const lists: Record<string, [RegExp, () => Promise<Buffer | string>]> = {
    'that is none': [/has to be one PEM block/, async () => 'revoked: nobody'],
    'that is damaged': [/is damaged/, async () => (await signCrl(signer, content(50n), firstList)).der.subarray(0, 100)],
    'with something behind it': [
      /is damaged/,
      async () => Buffer.concat([(await signCrl(signer, content(50n), firstList)).der, Buffer.alloc(1)]),
    ],
    'that is too large': [/at most 1048576 bytes/, async () => Buffer.alloc(1024 * 1024 + 1, 0x30)],
    'of another authority': [/workers make the lists of issuing/, async () => (await signCrl(issuingSigner, content(50n), firstList)).der],
    'whose signature was altered': [
      /No authority on record has signed/,
      async () => {
        const { der } = await signCrl(signer, content(50n), firstList);
        der[der.length - 1] = (der.at(-1) ?? 0) ^ 1;
        return der;
      },
    ],
    'with the number of the last one': [/higher than the last one, 22/, async () => (await signCrl(signer, content(22n), firstList)).der],
    'with a number that no page could show': [
      /has to be 2147483647 at most/,
      async () => (await signCrl(signer, content(2n ** 31n), firstList)).der,
    ],
    'that begins later': [
      /valid only from/,
      async () => (await signCrl(signer, content(50n, { thisUpdate: seconds(6 * minute) }), firstList)).der,
    ],
    'that has ended': [
      /The list ended at/,
      async () => (await signCrl(signer, content(50n, { thisUpdate: seconds(-day), nextUpdate: seconds(-minute) }), firstList)).der,
    ],
    'that is older than the current one': [
      /made before the current one/,
      async () => (await signCrl(signer, content(50n, { thisUpdate: seconds(-day) }), firstList)).der,
    ],
    'without an end': [/until when it is valid/, () => altered((body) => delete body.nextUpdate)],
    'without a number': [
      /has to have a number/,
      () => altered((body) => (body.crlExtensions = body.crlExtensions?.filter(({ extnID }) => extnID !== id_ce_cRLNumber) ?? [])),
    ],
    'of version 1': [
      /of version 2/,
      () =>
        altered((body) => {
          delete body.version;
          delete body.crlExtensions;
        }),
    ],
    'that is not complete': [
      /has to be a complete one/,
      () => altered((body) => body.crlExtensions?.forEach((each) => Object.assign(each, { extnID: '2.5.29.27', critical: true }))),
    ],
  };
  test.each(Object.keys(lists))('%s is refused, and nothing changes', async (name) => {
    const [words, make] = lists[name] ?? [/x/, () => Promise.resolve('')];
    const before = await current();
    await expect(importFile(await make())).rejects.toThrow(words);
    expect((await current()).equals(before)).toBe(true);
  });

  test('in which a bit was turned over before it was signed is imported or refused in words, and nothing else', async () => {
    const [whole] = derElements((await signCrl(signer, content(60n), firstList)).der);
    const [body, algorithm] = derElements(whole?.contents ?? Buffer.alloc(0)).map(({ bytes }) => bytes);
    if (!body || !algorithm) throw new Error('A list has a body and an algorithm.');
    const imported: unknown[] = [];
    for (let place = 0; place < body.length; place += 1) {
      const changed = Buffer.from(body);
      changed[place] = (changed[place] ?? 0) ^ (1 << ((place * 5) % 8));
      const signature = element(tags.bitString, Buffer.from([0]), await signer.sign(changed));
      const file = element(tags.sequence, changed, algorithm, signature);
      try {
        imported.push(await importCrl(world.em(), { actor: terminal, file, now: world.clock.now() }));
      } catch (error) {
        expect(error).toBeInstanceOf(DomainError);
      }
    }
    expect(imported.length).toBeLessThan(body.length / 4);
  });
});

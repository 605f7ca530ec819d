import { request } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import sharp from 'sharp';
import type { IntegrationStatus } from '../../server/domain/integration/integrationStatus.ts';
import { inspectImage } from '../../server/domain/logo/image/inspectImage.ts';
import { pngChunks } from '../../server/domain/logo/image/inspectPng.ts';
import { makeRenditions } from '../../server/domain/logo/image/makeRenditions.ts';
import { WorkingTime } from '../../server/domain/logo/image/WorkingTime.ts';
import { logoLimits } from '../../server/domain/logo/image/logoLimits.ts';
import { badLogos, oneByteTooLarge, wordsOf } from '../support/logo-files/badLogos.ts';
import { goodLogos } from '../support/logo-files/goodLogos.ts';
import { noise, picture } from '../support/logo-files/pictures.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { codesOf, type PortalClient } from '../support/clients/portalClient.ts';
import { toolingClient } from '../support/clients/toolingClient.ts';

let application: PortalWorld;
let owner: PortalClient;
let integration: { id: string; slug: string };
beforeAll(async () => {
  application = await openWorld({ portal: true });
  owner = await application.operator();
  integration = await owner.createIntegration();
});
afterAll(() => application.close());

type Upload = { by?: PortalClient; to?: string; headers?: Record<string, string> };

/** Uploads a file as the owner does. Earlier uploads are moved back by an hour, so that they no longer count. */
async function upload(bytes: Buffer, { by = owner, to = integration.slug, headers = {} }: Upload = {}) {
  await application.rows("update logo set created_at = created_at - interval '1 hour'");
  await application.rows("delete from attempt_window where kind = 'logo_operator'");
  const response = await by.fetch(`/integrations/${to}/logo`, { method: 'POST', body: new Uint8Array(bytes), headers });
  const answer = (await response.json()) as Record<string, string | number>;
  return { status: response.status, answer };
}

type Profile = { version: number; logo: { id: string; url256: string; url512: string } | null };
const profile = async (of = integration): Promise<Profile> => {
  const query = 'query ($slug: String!) { integration(slug: $slug) { profile { version logo { id url256 url512 } } } }';
  const { data } = await owner.graphql<{ integration: { profile: Profile } }>(query, { slug: of.slug });
  return data?.integration.profile as Profile;
};

const rendition = async (url: string, by = owner) => {
  const response = await by.fetch(new URL(url).pathname);
  return { response, bytes: Buffer.from(await response.arrayBuffer()) };
};

/** The colour at a place of a rendition. */
async function pixel(png: Buffer, x: number, y: number): Promise<number[]> {
  return [...(await sharp(png).ensureAlpha().extract({ left: x, top: y, width: 1, height: 1 }).raw().toBuffer())];
}

test('the corpus has at least 40 files, and every reason for a refusal but slowness is in it', () => {
  expect(goodLogos.length + badLogos.length).toBeGreaterThanOrEqual(40);
  expect(new Set([...goodLogos, ...badLogos].map(({ name }) => name)).size).toBe(goodLogos.length + badLogos.length);
});

describe('is accepted, and nothing but pixels is left of it:', () => {
  test.each(goodLogos.map((each) => [each.name, each] as const))('%s', async (_name, { make, size = [512, 512] }) => {
    const before = await profile();
    const { status, answer } = await upload(await make());
    expect([status, answer]).toEqual([201, expect.objectContaining({ width: size[0], height: size[1] })]);
    const { version, logo } = await profile();
    expect([version, logo?.id]).toEqual([before.version + 1, answer['id']]);
    for (const [url, side] of [
      [logo?.url256 ?? '', 256],
      [logo?.url512 ?? '', 512],
    ] as const) {
      const { response, bytes } = await rendition(url);
      expect(response.headers.get('content-type')).toBe('image/png');
      expect(new Set(pngChunks(bytes).chunks.map(({ type }) => type))).toEqual(new Set(['IHDR', 'IDAT', 'IEND']));
      expect(bytes.includes('Secret')).toBe(false);
      const { exif, icc, xmp, width, height, space, depth } = await sharp(bytes).metadata();
      expect({ exif, icc, xmp, width, height, space, depth }).toEqual({
        width: side,
        height: side,
        space: expect.stringMatching(/srgb|b-w/),
        depth: 'uchar',
      });
    }
  });
});

describe('is refused with words of its own:', () => {
  test.each(badLogos.map((each) => [each.name, each] as const))('%s', async (_name, bad) => {
    const before = await profile();
    const { status, answer } = await upload(await bad.make());
    expect([status, answer['code'], answer['detail']]).toEqual([400, 'invalid_request', wordsOf(bad)]);
    expect(await profile()).toEqual(before);
  });

  test('a file of 2 MiB and one byte', async () => {
    const bytes = await oneByteTooLarge();
    const { status, answer } = await upload(bytes);
    expect([status, answer['code'], answer['detail']]).toEqual([413, 'content_too_large', expect.stringContaining('larger than 2 MiB')]);
  });

  test('a stream without end is refused when 2 MiB have come, whatever length it announced', async () => {
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 65_536;
        if (sent > 6_000_000) controller.close();
        else controller.enqueue(new Uint8Array(65_536));
      },
    });
    const streamed = { method: 'POST', body, duplex: 'half' } as const;
    const response = await owner.fetch(`/integrations/${integration.slug}/logo`, streamed);
    expect(response.status).toBe(413);
  });
});

describe('what the picture shows', () => {
  const time = new WorkingTime(new AbortController().signal, () => 0);
  const renditions = async (bytes: Buffer) => (await makeRenditions(await inspectImage(bytes, time), time)).pictures;

  test('the name and the media type of a file do not count', async () => {
    const good = await picture(300).png().toBuffer();
    expect((await upload(good, { headers: { 'content-type': 'image/svg+xml' } })).status).toBe(201);
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>');
    const { answer } = await upload(svg, { headers: { 'content-type': 'image/png' } });
    expect(answer['detail']).toContain('This is an SVG drawing. SVG is not accepted');
  });

  test('the same file makes the same bytes', async () => {
    const bytes = await goodLogos[20]?.make();
    expect(await renditions(bytes as Buffer)).toEqual(await renditions(bytes as Buffer));
  });

  test('a picture taken on its side stands upright: what was left is on top', async () => {
    const lying = goodLogos.find(({ name }) => name.includes('on its side'));
    const { 512: png } = await renditions((await lying?.make()) as Buffer);
    const [top, bottom] = [await pixel(png, 256, 40), await pixel(png, 256, 470)];
    expect([(top[0] ?? 0) > 180, (bottom[2] ?? 0) > 180]).toEqual([true, true]);
  });

  test('a wide picture keeps its shape, with nothing above and below', async () => {
    const { 512: png } = await renditions(await picture(1024, 512).png().toBuffer());
    expect(await pixel(png, 100, 60)).toEqual([0, 0, 0, 0]);
    expect(await pixel(png, 100, 256)).toEqual([220, 20, 20, 255]);
    expect(await pixel(png, 400, 256)).toEqual([20, 20, 220, 255]);
  });

  test('what was transparent stays transparent', async () => {
    const { 256: png } = await renditions(await picture(512, 512, { transparent: true }).webp({ lossless: true }).toBuffer());
    expect([(await pixel(png, 20, 20))[3], (await pixel(png, 230, 20))[3]]).toEqual([255, 0]);
  });

  test('printing colours become screen colours', async () => {
    const { 256: png } = await renditions(await picture().toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer());
    const [red = 0, green = 0, blue = 0] = await pixel(png, 40, 40);
    expect([red > 150, green < 90, blue < 90]).toEqual([true, true, true]);
  });
});

describe('who may upload', () => {
  const good = () => picture(300).png().toBuffer();
  /** Slow to decode, so others arrive in the meantime. */
  const slow = () => noise(2048).jpeg({ progressive: true, quality: 5 }).toBuffer();

  test('nobody without a session, and nobody from another page', async () => {
    const bytes = await good();
    expect((await upload(bytes, { by: application.browser() })).answer['code']).toBe('unauthenticated');
    expect((await upload(bytes, { headers: { origin: 'https://evil.example' } })).answer['code']).toBe('forbidden');
    expect((await upload(bytes, { headers: { origin: '' } })).answer['code']).toBe('forbidden');
  });

  test('an operator who is still registering has no logo to upload', async () => {
    const enrolling = application.browser();
    await enrolling.beginEnrolment();
    expect((await upload(await good(), { by: enrolling })).answer['code']).toBe('unauthenticated');
  });

  test('another’s integration is not found, like one that never was', async () => {
    const stranger = await application.operator();
    const bytes = await good();
    const answers = [
      await upload(bytes, { by: stranger }),
      await upload(bytes, { by: stranger, to: integration.id }),
      await upload(bytes, { by: stranger, to: 'never-was' }),
    ];
    for (const { status, answer } of answers) {
      expect([status, answer['detail']]).toEqual([404, 'There is no such integration.']);
    }
    expect(codesOf(await stranger.call('removeLogo', { input: { integrationId: integration.id } }))).toEqual(['NOT_FOUND']);
  });

  test('the owner names the integration by its id, too', async () => {
    expect((await upload(await good(), { to: integration.id })).status).toBe(201);
  });

  test('a form or a packed body is refused with words', async () => {
    const refused: Record<string, string>[] = [{ 'content-type': 'multipart/form-data; boundary=x' }, { 'content-encoding': 'gzip' }];
    for (const headers of refused) {
      const { status, answer } = await upload(await good(), { headers });
      expect([status, answer['detail']]).toEqual([415, 'Send the file itself as the body: no form, no Content-Encoding.']);
    }
  });

  test('twenty an hour, then none until it is over', async () => {
    const mine = await owner.createIntegration();
    const statuses: number[] = [];
    for (let side = 256; side < 277; side += 1) {
      const body = new Uint8Array(await picture(side).png().toBuffer());
      const response = await owner.fetch(`/integrations/${mine.slug}/logo`, { method: 'POST', body });
      statuses.push(response.status);
      if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(3000);
    }
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 201), 429]);
  });

  test('sixty files an hour, refused ones as well; then none is read, for any of the operator’s integrations', async () => {
    const busy = await application.operator();
    const slugs = [(await busy.createIntegration()).slug, (await busy.createIntegration()).slug];
    const send = (each: number) => busy.fetch(`/integrations/${slugs[each % 2]}/logo`, { method: 'POST', body: 'no picture' });
    for (let each = 0; each < 60; each += 1) expect((await send(each)).status).toBe(400);
    const refused = await send(60);
    expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([429, expect.any(Number)]);
    expect(await refused.json()).toMatchObject({ detail: expect.stringContaining('At most 60 logos can be uploaded an hour.') });
    const another = await application.operator();
    const { slug } = await another.createIntegration();
    expect((await upload(await good(), { by: another, to: slug })).status).toBe(201);
  });

  test('of many at the same moment one is decoded at a time, eight wait, and the others are asked to come again', async () => {
    const owners: { by: PortalClient; slug: string }[] = [];
    for (let count = 0; count < 18; count += 1) {
      const by = await application.operator();
      owners.push({ by, slug: (await by.createIntegration()).slug });
    }
    const body = new Uint8Array(await slow());
    let most = 0;
    // Counts only what is being decoded. Added to what is queued, which is read first, a file that begins in between would count twice.
    const count = () => (most = Math.max(most, sharp.counters().process));
    sharp.queue.on('change', count);
    // Where one is done before the next begins, none is being decoded whenever the queue changes.
    const between = setInterval(count, 1);
    const answers = await Promise.all(
      owners.map(async ({ by, slug }) => {
        const { status, headers } = await by.fetch(`/integrations/${slug}/logo`, { method: 'POST', body });
        return `${status} ${headers.get('retry-after')}`;
      }),
    );
    sharp.queue.off('change', count);
    clearInterval(between);
    expect(new Set(answers)).toEqual(new Set(['201 null', '503 5']));
    expect(answers.filter((answer) => answer === '201 null').length).toBeGreaterThan(logoLimits.logosWaiting);
    expect(most).toBe(1);
  });

  test('of several of one operator at the same moment one is read, and the others are refused with words', async () => {
    const by = await application.operator();
    const { slug } = await by.createIntegration();
    const body = new Uint8Array(await slow());
    const send = async () => {
      const response = await by.fetch(`/integrations/${slug}/logo`, { method: 'POST', body });
      return `${response.status} ${((await response.json()) as { detail?: string }).detail}`;
    };
    const answers = await Promise.all([send(), send(), send()]);
    const refused = '409 Another of your logos is being processed. Upload this one when that is done.';
    expect(answers.toSorted()).toEqual(['201 undefined', refused, refused]);
  });

  test('an upload whose connection ends while it waits is not read', async () => {
    const [first, gone, last] = [await application.operator(), await application.operator(), await application.operator()];
    const slugs = await Promise.all([first, gone, last].map(async (by) => (await by.createIntegration()).slug));
    const waiting = first.fetch(`/integrations/${slugs[0]}/logo`, { method: 'POST', body: new Uint8Array(await slow()) });
    while (sharp.counters().process === 0) await application.rows('select 1');
    const headers = { origin: gone.origin, cookie: `${gone.cookieName}=${gone.cookie}` };
    const broken = request(new URL(`/integrations/${slugs[1]}/logo`, gone.origin), { method: 'POST', headers }).end(await good());
    broken.on('error', () => {});
    const counted = 'select 1 from attempt_window a join operator o on o.id = a.source where a.kind = $1 and o.email = $2';
    while ((await application.rows(counted, ['logo_operator', gone.email])).length === 0);
    // One that only ended its side might still wait for the answer.
    broken.socket?.resetAndDestroy();
    const body = new Uint8Array(await good());
    expect((await last.fetch(`/integrations/${slugs[2]}/logo`, { method: 'POST', body })).status).toBe(201);
    expect((await waiting).status).toBe(201);
    const stored = await application.rows<{ slug: string }>(
      'select i.slug from logo l join integration i on i.id = l.integration_id where i.slug = any ($1)',
      [slugs],
    );
    expect(stored.map(({ slug }) => slug).toSorted()).toEqual([slugs[0], slugs[2]].toSorted());
  });
});

describe('when the logo may change', () => {
  const setStatus = (status: string) => application.rows('update integration set status = $1 where id = $2', [status, integration.id]);
  afterAll(() => setStatus('sandbox'));

  test('the same picture again makes no version', async () => {
    const bytes = await picture(400).png().toBuffer();
    await upload(bytes);
    const before = await profile();
    expect((await upload(bytes)).answer['id']).toBe(before.logo?.id);
    expect(await profile()).toEqual(before);
  });

  test('removing it makes a version without one; removing nothing makes none', async () => {
    const before = await profile();
    const earlier = before.logo?.url256 ?? '';
    for (let round = 0; round < 2; round += 1) await owner.must('removeLogo', { input: { integrationId: integration.id } });
    expect(await profile()).toEqual({ version: before.version + 1, logo: null });
    expect((await rendition(earlier)).response.status).toBe(200);
  });

  /** Why not, or null. */
  const kept: Readonly<Record<IntegrationStatus, string | null>> = {
    sandbox: null,
    submitted: 'The profile is frozen while it is under review.',
    rejected: null,
    approved: 'The logo was approved with the profile and cannot be changed.',
    active: 'duplicate the profile as a new integration',
    suspended: 'duplicate the profile as a new integration',
    retired: 'This integration is retired, so its logo cannot be changed.',
  };
  test.each(Object.entries(kept).flatMap(([status, words]) => (words === null ? [] : [[status, words] as const])))(
    'not while it is %s: the file is not even read',
    async (status, words) => {
      await upload(await picture(410).png().toBuffer());
      await setStatus(status);
      const before = await profile();
      const { status: code, answer } = await upload(Buffer.from('whatever'));
      expect([code, answer['code'], answer['detail']]).toEqual([409, 'conflict', expect.stringContaining(words)]);
      const removal = await owner.call('removeLogo', { input: { integrationId: integration.id } });
      expect([codesOf(removal), removal.errors[0]?.message]).toEqual([['CONFLICT'], expect.stringContaining(words)]);
      expect(await profile()).toEqual(before);
      await setStatus('sandbox');
    },
  );

  test('each change stands in the audit trail, without a word of the file', async () => {
    const { version } = await profile();
    const rows = await application.rows<{ action: string; details: object }>(
      "select action, details from audit_entry where integration_id = $1 and action like 'logo.%' order by id desc limit 1",
      [integration.id],
    );
    expect(rows).toEqual([{ action: 'logo.uploaded', details: { format: 'png', width: 410, height: 410, profileVersion: version } }]);
  });
});

describe('who may look at it', () => {
  let url: string;
  beforeAll(async () => {
    await upload(await picture(420).png().toBuffer());
    url = (await profile()).logo?.url512 ?? '';
  });

  test('before its review: the owner and reviewers, for ever and privately', async () => {
    const { response } = await rendition(url);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('private, max-age=31536000, immutable');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(response.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    const reviewer = await application.operator();
    expect((await rendition(url, reviewer)).response.status).toBe(404);
    await application.rows("update operator set roles = '{reviewer}' where email = $1", [reviewer.email]);
    expect((await rendition(url, reviewer)).response.status).toBe(200);
    expect((await rendition(url, application.browser())).response.status).toBe(404);
  });

  test('once it is reviewed: everybody, in any page', async () => {
    await application.rows('update integration set reviewed_profile_version = profile_version where id = $1', [integration.id]);
    const { response } = await rendition(url, application.browser());
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    const head = await application.browser().fetch(new URL(url).pathname, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
  });

  test('the order-tracking service is given its address in the catalogue', async () => {
    await application.rows("update integration set status = 'active' where id = $1", [integration.id]);
    const tooling = await toolingClient(application, { permissions: ['catalogue.read'] });
    const { edges } = await tooling.must<{ edges: { node: { slug: string; logo: unknown } }[] }>('catalogue', { first: 100 });
    const entry = edges.find(({ node }) => node.slug === integration.slug)?.node;
    expect(entry?.logo).toMatchObject({ url512: url, url256: url.replace('/512', '/256') });
  });

  test.each(['/logos/lgo_x/256', '/logos/%27/512', `/logos/lgo_${'0'.repeat(26)}/512`])('%s is not found', async (path) => {
    expect((await owner.fetch(path)).status).toBe(404);
  });

  test('there are two sizes and no other', async () => {
    expect((await owner.fetch(new URL(url).pathname.replace('/512', '/1024'))).status).toBe(404);
  });
});

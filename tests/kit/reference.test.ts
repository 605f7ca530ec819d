import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { creditText } from '../../server/domain/integration/profile/attribution.ts';
import type { SubmissionCheck } from '../../server/domain/review/check/submissionChecks.ts';
import { probeKinds } from '../../server/domain/webhook/receiver-check/probes.ts';
import { receiverCheckOf } from '../../server/domain/webhook/receiver-check/receiverChecks.ts';
import { runReceiverCheck } from '../../server/domain/webhook/receiver-check/runReceiverCheck.ts';
import { accessibilityFindings, launchBrowser, openPage } from '../support/browser/browser.ts';
import { keepScreenshot } from '../support/browser/keepScreenshot.ts';
import { SandboxClient } from '../support/clients/sandboxClient.ts';
import { WebhookReceiver, type Answering } from '../support/clients/webhookReceiver.ts';
import { Sharing } from '../support/feed/sharing.ts';
import { operatorDatabase } from '../support/kit/kitFeeds.ts';
import { ReferenceBackEnd, Visitor } from '../support/kit/ReferenceBackEnd.ts';
import { patient } from '../support/patience.ts';
import type { TestClient } from '../support/world/Fixtures.ts';
import { addLogo } from '../support/world/reviewPath.ts';
import { openWorld, type MachineWorld, type PortalWorld } from '../support/world/openWorld.ts';

const day = 24 * 60 * 60 * 1000;

let world: PortalWorld & MachineWorld;
let sharing: Sharing;
let browser: Browser;
/** The operator’s proxy, which speaks HTTPS for the site `orders`; `site` has the other pages of the operator. */
let proxy: WebhookReceiver;
let behindProxy: ReferenceBackEnd | undefined;
beforeAll(async () => {
  proxy = await WebhookReceiver.start();
  [world, browser] = await Promise.all([openWorld({ portal: { webhookHosts: proxy.developmentHosts }, machine: true }), launchBrowser()]);
  world.onClose(() => proxy.close());
  sharing = new Sharing(world);
  proxy.answer = proxy.answerChallenge = passOn;
});
afterAll(async () => {
  await browser?.close();
  await world?.close();
});

const passOn: Answering = async ({ host, method, target, headers, body }) => {
  if (!host.startsWith('orders.')) return { status: 200, headers: { 'content-type': 'text/html' }, body: '<title>Ours</title>' };
  const kept = Object.entries(headers).filter(([name]) => !/^(?:host|connection|content-length|accept-encoding)$/.test(name));
  const answer = await behindProxy?.ask(target, {
    method,
    headers: { ...Object.fromEntries(kept.map(([name, value]) => [name, String(value)])), 'x-forwarded-for': '192.0.2.1' },
    ...(method === 'POST' && { body: new Uint8Array(body) }),
  });
  const type = answer?.headers.get('content-type');
  return { status: answer?.status ?? 502, ...(type && { headers: { 'content-type': type } }), body: answer?.text ?? '' };
};

/** Waits for what another process does. */
async function until(what: string, holds: () => unknown, ms = 30_000): Promise<void> {
  for (const end = Date.now() + patient(ms); Date.now() < end; await pause(50)) if (await holds()) return;
  throw new Error(`In vain: ${what}`);
}

/** A client whose back end polls every second, so that nothing has to prompt it. */
async function started(operator: object = {}, prepare: (back: ReferenceBackEnd) => Promise<unknown> = () => Promise.resolve()) {
  const { client, certificate } = await world.backEnd();
  await often(client);
  const back = ReferenceBackEnd.install(world, certificate, operator);
  await prepare(back);
  await back.start();
  return { client, back };
}

async function often(client: TestClient): Promise<void> {
  await world.rows('delete from quota_override where client_number = $1', [client.number]);
  for (const [quota, value] of [
    ['polling_interval_seconds', 1],
    ['requests_per_minute', 10_000],
    ['requests_per_hour', 100_000],
  ] as const) {
    await world.fixtures.override(client, quota, value);
  }
}

const acknowledged = async (revocationId: string) =>
  (await world.rows('select 1 from revocation where id = $1 and acknowledged_at is not null', [revocationId])).length === 1;
/** The entries of the list that are from the service. */
const credited = (text: string) => [...text.matchAll(/<li>(?:(?!<\/li>)[^])*<a href="[^"]+\/app" rel="noopener">[^<]+<\/a>\s*<\/li>/g)];

test('a reviewer would approve it: every check of the service passes, all is observed, and its receiver passes every probe', async () => {
  const page = (path: string) => proxy.pageUrl('orders', path);
  const site = (path: string) => proxy.pageUrl('site', path);
  const supportEmail = 'support@operator.example';
  const profile = {
    websiteUrl: site('/'),
    privacyPolicyUrl: site('/privacy'),
    termsOfServiceUrl: site('/terms'),
    orderLinkingUrl: page('/link'),
    donationUrl: null,
    supportEmail,
  };
  const sandbox = await SandboxClient.open(world, ['orders.read', 'vehicles.read', 'revocations.ack'], profile);
  const { operator: owner, slug } = sandbox;
  const [client] = await world.rows<TestClient>(
    `select c.number, c.id, c.environment, c.integration_id as "integrationId", i.operator_id as "operatorId", 'svc:sandbox:' || c.id as "commonName"
       from client c join integration i on i.id = c.integration_id where c.id = $1`,
    [sandbox.clientId],
  );
  if (!client) throw new Error('The sandbox has no client.');
  const { integrationId } = client;
  await addLogo(world, integrationId);

  // Its first call is refused, because the quota of the last minute is used up, and its certificate is due for renewal.
  await world.rows('update client set renewal_by_est = true where number = $1', [client.number]);
  const certificate = await world.fixtures.certificate(world.authority, client, { notBefore: new Date(Date.now() - 61 * day) });
  await world.rows('update certificate set slot = 1 where id = $1', [certificate.id]);
  const webhookUrl = proxy.url('orders', '/hooks');
  behindProxy = ReferenceBackEnd.install(world, certificate, { ...profile, webhookUrl, answerChallenges: true });
  const back = behindProxy;
  // Its start may take a while, and must find the quota used up.
  await world.fixtures.override(client, 'requests_per_minute', 1);
  expect((await world.connect(certificate).call('/v1/capabilities')).status).toBe(200);
  world.clock.advance(45_000);
  await back.start();
  await until(
    'a call is refused',
    async () => (await world.rows('select 1 from request_log where client_number = $1 and status = 429', [client.number])).length > 0,
  );
  await often(client);
  const seen = async (kind: string) =>
    (await world.rows('select 1 from review_evidence where client_number = $1 and kind = $2', [client.number, kind])).length > 0;
  await until('the pause is honoured', () => seen('pause_honoured'), 90_000);
  // Its renewal was refused with it, and would wait for its next hour.
  await back.stop();
  await back.start();
  // Meanwhile the workers sign the renewal that it has asked for.
  await until('the sandbox is copied', async () => {
    await world.work();
    return back.rows('select id from svc_resource').length >= 549;
  });

  await owner.confirmFreshly();
  const { id: endpointId } = await owner.must<{ id: string }>('registerWebhookEndpoint', {
    input: {
      integrationId,
      environment: 'sandbox',
      url: webhookUrl,
      payloadMode: 'notification',
      eventTypes: ['connection_created', 'resource_granted', 'resource_updated', 'resource_revoked', 'connection_revoked'],
      description: '',
    },
  });
  await owner.must('verifyWebhookEndpoint', { input: { endpointId } });
  await world.work();

  // A user links an order and a vehicle with a code that begins with a zero, as it is pasted.
  const scopes = ['orders.read', 'vehicles.read'] as const;
  let code = '';
  while (!code.startsWith('0')) ({ code } = await sharing.code(client, { orders: 2, vehicles: 1, scopes }));
  const visitor = new Visitor(back);
  expect(await visitor.link(`${code.slice(0, 3)} ${code.slice(3, 6)} ${code.slice(6)}`)).toMatchObject({ status: 303 });
  const shown = await visitor.get('/');
  expect([credited(shown.text).length, shown.text.match(/<li>/g)?.length]).toEqual([3, 4]);
  expect(shown.text).toContain(`<a href="${world.portalUrl}/app" rel="noopener">${creditText}</a>`);
  expect(back.log).not.toContain(code);

  // The user revokes one order, then everything. The service tells the back end, which deletes and acknowledges.
  const [mine] = back.rows<{ connection_id: string }>('select connection_id from linked');
  const connectionId = mine?.connection_id ?? '';
  const ids = () => back.rows<{ id: string }>(`select id from svc_resource where connection_id = '${connectionId}'`).map(({ id }) => id);
  const [first = '', ...others] = ids();
  expect(back.exported()).toEqual(expect.arrayContaining([first, ...others]));
  const source = new URL(world.machineApiUrl).origin;
  for (const revoked of [{ resourceId: first }, { connectionId }]) {
    const { revocationId } = await sandbox.must<{ revocationId: string }>('revokeSandboxShare', revoked);
    await world.deliver({ developmentHosts: proxy.developmentHosts, source });
    await until(`${JSON.stringify(revoked)} is acknowledged`, () => acknowledged(revocationId));
  }
  expect(ids()).toEqual([]);
  expect(back.exported().filter((id) => [first, ...others].includes(id))).toEqual([]);
  expect(back.rows(`select 1 from notice where resource_id in ('${[first, ...others].join("','")}')`)).toEqual([]);
  expect(back.rows('select 1 from linked')).toEqual([]);
  expect(credited((await visitor.get('/')).text)).toEqual([]);
  expect(back.rows('select id from svc_event').length).toBeGreaterThan(0);

  await until('the renewed certificate is in use', async () => {
    await world.work();
    return (await world.rows("select 1 from review_evidence where client_number = $1 and kind = 'certificate_rotated'", [client.number]))
      .length;
  });
  await until(
    'a page was unchanged',
    async () =>
      (await world.rows("select 1 from review_evidence where client_number = $1 and kind = 'answer_unchanged'", [client.number])).length,
  );

  await owner.must('saveSubmissionDraft', { input: { integrationId, reviewUrl: page('/'), confirmations: [] } });
  await world.work();
  const { data } = await owner.graphql(
    'query ($slug: String!) { integration(slug: $slug) { submissionChecks { check level outcome found } } }',
    { slug },
  );
  const { submissionChecks } = (data as { integration: { submissionChecks: SubmissionCheck[] } }).integration;
  expect(submissionChecks.length).toBeGreaterThan(10);
  expect(submissionChecks.filter(({ outcome, check }) => outcome !== 'passed' && check !== 'donationPage')).toEqual([]);

  const check = await owner.must<{ id: string }>('checkReceiver', { input: { endpointId } });
  const { transport, deliveryKey } = world.workerContext();
  await runReceiverCheck(world.em(), { receiverCheckId: check.id, transport, signingKey: deliveryKey, source, clock: world.clock });
  const [endpoint] = await world.rows<{ number: number }>('select number from webhook_endpoint where id = $1', [endpointId]);
  const found = await receiverCheckOf(world.em(), { number: endpoint?.number ?? 0 }, world.clock.now());
  expect(found?.probes.filter(({ verdict }) => verdict !== 'passed')).toEqual([]);
  expect([found?.passed, found?.probes.length]).toEqual([true, probeKinds.length]);
  proxy.undescribed.splice(0);

  const against = await world.rows(
    "select 1 from review_evidence where client_number = $1 and kind in ('capabilities_not_read', 'pause_disregarded')",
    [client.number],
  );
  expect(against).toEqual([]);
  expect(await back.stop()).toBe(0);
}, 180_000);

describe('deletions', () => {
  test.each(['sqlite', 'postgres'])('in %s are acknowledged only when what lies outside the database is gone, too', async (store) => {
    const { client, back } = await started({}, async (made) => {
      if (store === 'postgres') made.usePostgres(await operatorDatabase(world));
    });
    const visitor = new Visitor(back);
    const { code } = await sharing.code(client, { orders: 2 });
    expect((await visitor.link(code)).status).toBe(303);
    const [kept = '', revoked = ''] = back.exported();
    const file = back.file(`exports/${revoked}.csv`);
    expect((await visitor.get(`/exports/${revoked}.csv`)).text).toContain(`"${creditText}: ${world.portalUrl}/app"`);
    // A file that cannot be removed, as a folder cannot.
    rmSync(file);
    mkdirSync(file);
    writeFileSync(`${file}/held`, '');
    const revocationId = await sharing.revokeResource(client, revoked);
    await until('its removal fails', () => back.log.includes(`${revoked}.csv`));
    expect(await acknowledged(revocationId)).toBe(false);
    expect(credited((await visitor.get('/')).text)).toHaveLength(1);
    rmSync(file, { recursive: true });
    await until('it is acknowledged', () => acknowledged(revocationId));
    expect(back.exported()).toEqual([kept]);
    expect(await back.stop()).toBe(0);
  });
});

describe('the site', () => {
  let back: ReferenceBackEnd;
  let client: TestClient;
  beforeAll(async () => {
    ({ back, client } = await started({ name: '<b>"Order" & \'Watch\'</b>', answerChallenges: false }));
  });
  const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

  test('shows a visitor what they have linked, and nobody else', async () => {
    const [one, other] = [new Visitor(back), new Visitor(back)];
    const { code } = await sharing.code(client, { orders: 1 });
    expect(await one.link(code)).toMatchObject({ status: 303 });
    await other.get('/link');
    expect([credited((await one.get('/')).text).length, credited((await other.get('/')).text).length]).toEqual([1, 0]);
    const [id = ''] = back.exported();
    const csv = await one.get(`/exports/${id}.csv`);
    expect([csv.status, csv.headers.get('content-type'), csv.headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment',
    ]);
    expect((await other.get(`/exports/${id}.csv`)).status).toBe(404);
    expect((await one.get('/exports/..%2foperator.json')).status).toBe(404);
    // A copy of the database does not give away anybody's cookie.
    const [linked] = back.rows<{ visitor: string }>('select visitor from linked');
    expect(one.cookie).not.toContain(linked?.visitor);
  });

  test('gives one message for every code that cannot be used, and one for what is no code, and repeats neither', async () => {
    const visitor = new Visitor(back);
    const refused = await visitor.link('0123456789');
    expect([refused.status, refused.text]).toEqual([422, expect.stringContaining('This code cannot be used. Get a new one')]);
    const short = await visitor.link('012345');
    expect([short.status, short.text]).toEqual([422, expect.stringContaining('A link code has ten digits.')]);
    expect(refused.text + short.text + back.log).not.toMatch(/0123456789|012345/);
  });

  test('takes a form only from its own page', async () => {
    const visitor = new Visitor(back);
    expect((await visitor.link('0123456789', { token: 'x' })).status).toBe(403);
    const stolen = new Visitor(back);
    await stolen.get('/link');
    const [{ text }] = [await new Visitor(back).get('/link')];
    const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';
    expect((await stolen.link('0123456789', { token })).status).toBe(403);
    expect((await back.ask('/link', { method: 'POST', headers: form, body: `token=${token}&code=0123456789` })).status).toBe(403);
    expect(visitor.cookie).toMatch(/^__Host-visitor=/);
    const { headers } = await back.ask('/link');
    expect(headers.get('set-cookie')).toMatch(/; Path=\/; Secure; HttpOnly; SameSite=Lax/);
  });

  test.each([
    ['a form over its limit', 'POST', '/link', form, `code=${'1'.repeat(2000)}`, 413],
    ['something that is no form', 'POST', '/link', { 'Content-Type': 'text/plain' }, 'code=0123456789', 413],
    ['another method', 'DELETE', '/', {}, undefined, 405],
    ['a form where there is none', 'POST', '/', form, 'code=0123456789', 405],
    ['another page', 'GET', '/admin', {}, undefined, 404],
    ['a delivery that nobody signed', 'POST', '/hooks', { 'Content-Type': 'application/json' }, '{}', 401],
    ['a challenge once the endpoint is proven', 'POST', '/hooks', {}, '{"type":"svc.webhook.verification","challenge":"x"}', 401],
  ])('refuses %s', async (_what, method, path, headers, body, status) => {
    expect((await back.ask(path, { method, headers, ...(body !== undefined && { body }) })).status).toBe(status);
  });

  test('lets one address try ten codes in a quarter of an hour', async () => {
    const visitor = new Visitor(back);
    const from = async (address: string) => {
      const { text } = await visitor.get('/link');
      const token = /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';
      const headers = { ...form, Cookie: visitor.cookie, 'X-Forwarded-For': `203.0.113.1, ${address}` };
      return (await back.ask('/link', { method: 'POST', headers, body: `token=${token}&code=1` })).status;
    };
    const statuses: number[] = [];
    for (let turn = 0; turn < 11; turn += 1) statuses.push(await from('198.51.100.7'));
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
    expect(await from('198.51.100.8')).toBe(422);
  });

  test('escapes whatever it shows, and says what browsers may do with it', async () => {
    const { headers, text } = await back.ask('/link?from=a%20mail');
    expect(text).toContain('&lt;b&gt;&quot;Order&quot; &amp; &#39;Watch&#39;&lt;/b&gt;');
    expect(text).not.toContain('<b>');
    expect(headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; base-uri 'none'; frame-ancestors 'none'; form-action 'self';/,
    );
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
    expect(Object.fromEntries(headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'strict-transport-security': expect.stringContaining('max-age='),
    });
  });

  test('works in a browser: the form links, the badge shows the credit, and nothing is complained about', async () => {
    const { page, complaints } = await openPage(browser);
    const { code } = await sharing.code(client, { orders: 1 });
    await page.goto(`${back.url}/link`);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByLabel('Link code').fill(`${code.slice(0, 5)} ${code.slice(5)}`);
    await page.getByRole('button', { name: 'Link my order' }).click();
    await page.getByRole('heading', { name: 'Your orders' }).waitFor();
    expect(page.url()).toBe(`${back.url}/`);
    await page.locator('footer').getByRole('link', { name: creditText }).waitFor();
    expect(await page.getByRole('main').getByRole('link', { name: creditText }).count()).toBe(1);
    expect(await accessibilityFindings(page)).toEqual([]);
    await keepScreenshot(page, 'reference-orders');
    expect(complaints).toEqual([]);
  });

  // The last one, since the kit then waits until the quota is there again.
  test('says that the code could not be linked if the service refuses the client, and that many are if a quota is used up', async () => {
    const visitor = new Visitor(back);
    const link = (code: string) => visitor.link(code, {}, { 'X-Forwarded-For': '198.51.100.9' });
    const [before] = await world.rows<{ status: string }>('select status from integration where id = $1', [client.integrationId]);
    const withStatus = (next: string) => world.rows('update integration set status = $2 where id = $1', [client.integrationId, next]);
    await withStatus('retired');
    const impossible = await link('0123456789');
    await withStatus(before!.status);
    expect([impossible.status, impossible.text]).toEqual([
      503,
      expect.stringContaining('The code could not be linked. Try a new one in a few minutes'),
    ]);
    await world.fixtures.override(client, 'link_code_redemptions_per_hour', 1);
    const { code } = await sharing.code(client, { orders: 1 });
    await link(code);
    const busy = await link('0123456789');
    await often(client);
    expect([busy.status, busy.text]).toEqual([429, expect.stringContaining('Too many codes are being linked just now.')]);
  });
});

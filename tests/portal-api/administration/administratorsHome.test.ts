import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createOrm } from '../../../server/database/orm.ts';
import { serviceAttention } from '../../../server/domain/attention/service/serviceAttention.ts';
import type { ServiceKind } from '../../../server/domain/notification/words/serviceWords.ts';
import { newId } from '../../../server/domain/shared/ids.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import type { PortalClient } from '../../support/clients/portalClient.ts';
import { numberOfClient, revokedOrder } from '../../support/world/revocationFixtures.ts';
import { unsentMail } from '../../support/world/recordFixtures.ts';
import { waitingSubmission } from '../../support/world/submissionFixtures.ts';
import { administrator } from '../../support/clients/toolingClient.ts';
import { storedDelivery } from '../../support/webhooks/deliveryRows.ts';
import { webhookEndpoint } from '../../support/webhooks/endpointRows.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

type Item = {
  id: string;
  kind: ServiceKind;
  level: string;
  title: string;
  text: string;
  since: string | null;
  act: { page: string; objectId: string | null };
};
type Home = {
  attention: { checkedAt: string; items: Item[] };
  traffic: { total: number; failed: number }[] | null;
  refusals: { problem: string; requests: number; more: boolean; integrations: number }[] | null;
  staffActs: { action: string; actorName: string }[] | null;
};

let application: PortalWorld;
let admin: PortalClient;
let owner: PortalClient;
let integration: Awaited<ReturnType<PortalClient['createIntegration']>>;
let ownerId: string;
let clientNumber: number;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  [admin, owner] = [await administrator(application), await application.operator()];
  await admin.confirmFreshly();
  ownerId = (await owner.viewer()).data?.operatorId ?? '';
  integration = await owner.createIntegration({ slug: 'departure-board' });
  clientNumber = await numberOfClient(application, integration.slug, 'production');
});
afterAll(() => application.close());

/** All that has been made by a test is gone before the next one. */
beforeEach(async () => {
  present = application.clock.now();
  await application.rows('delete from graphile_worker._private_jobs');
  await application.rows('delete from review_submission');
  await application.rows('delete from webhook_delivery');
  await application.rows('delete from webhook_endpoint');
  await application.rows('update revocation set acknowledged_at = revoked_at where acknowledged_at is null');
  await application.rows("update integration set status = 'active', status_changed_at = null");
  await application.rows(
    `insert into certificate_revocation_list (authority_id, number, der, etag, this_update, next_update, revoked)
    select id, 1, '', 'x', $1, $2, 0 from certificate_authority
    on conflict (authority_id) do update set this_update = excluded.this_update, next_update = excluded.next_update`,
    [ago(hour), ago(-6 * day)],
  );
});

let present: Date;
const ago = (milliseconds: number): Date => new Date(present.getTime() - milliseconds);
const home = (): Promise<Home> => admin.must<Home>('administratorsHome');
const items = async (): Promise<Item[]> => (await home()).attention.items;
const kinds = async (): Promise<string[]> => (await items()).map(({ kind }) => kind);

const job = async (name: string, payload: object, changes: { attempts: number; error: string | null }) => {
  const [row] = await application.rows<{ id: string }>(
    'select id from graphile_worker.add_job($1, $2::json, run_at => now() + $3::interval)',
    [name, payload, '1 hour'],
  );
  await application.rows('update graphile_worker._private_jobs set attempts = $2, last_error = $3 where id = $1', [
    row?.id,
    changes.attempts,
    changes.error,
  ]);
};

describe('what the service needs of its administrators', () => {
  test('where nothing needs anybody, it says so, and when that was checked', async () => {
    const { attention } = await home();
    expect(attention.items).toEqual([]);
    expect(Date.parse(attention.checkedAt)).toBeGreaterThanOrEqual(present.getTime());
  });

  test('jobs that have failed are counted, and those that nobody tries again come as a failure', async () => {
    await job('makeP12', {}, { attempts: 3, error: 'x' });
    await job('makeP12', {}, { attempts: 0, error: null });
    expect(await items()).toEqual([expect.objectContaining({ kind: 'failedJobs', level: 'attention', title: '1 job failed' })]);
    await job('makeP12', {}, { attempts: 25, error: 'x' });
    const [item] = await items();
    expect(item).toMatchObject({
      level: 'failing',
      title: '2 jobs failed',
      text: expect.stringContaining('1 job will not be retried automatically'),
    });
    expect(item?.act.page).toBe('adminJobs');
    expect(Date.now() - Date.parse(item?.since ?? '')).toBeLessThan(5 * minute);
  });

  test('a submission that has waited for longer than nine of ten reviews take is told, and one that its owner has to answer is not', async () => {
    const id = await waitingSubmission(application, { integrationId: integration.id, operatorId: ownerId, at: ago(4 * day) });
    expect(await kinds()).toEqual([]);
    await application.rows('update review_submission set waiting_since = $1', [ago(6 * day)]);
    expect(await items()).toEqual([
      expect.objectContaining({
        kind: 'slowReviews',
        since: ago(6 * day).toISOString(),
        act: { label: 'View the queue', page: 'reviews', objectId: null },
      }),
    ]);
    await application.rows("update review_submission set waiting_for = 'operator' where id = $1", [id]);
    expect(await kinds()).toEqual([]);
  });

  test('deletions that are overdue in production are told, and those of a sandbox are not', async () => {
    const sandbox = await numberOfClient(application, integration.slug);
    await revokedOrder(application, { clientNumber: sandbox, revokedAt: ago(9 * day) });
    await revokedOrder(application, { clientNumber, revokedAt: ago(6 * day) });
    expect(await kinds()).toEqual([]);
    await revokedOrder(application, { clientNumber, revokedAt: ago(9 * day) });
    expect(await items()).toEqual([
      expect.objectContaining({
        kind: 'overdueDeletions',
        level: 'failing',
        title: '1 deletion overdue',
        since: ago(2 * day).toISOString(),
      }),
    ]);
  });

  test('one suspended integration is linked itself, and several by their list', async () => {
    const other = await owner.createIntegration();
    await application.rows("update integration set status = 'suspended', status_changed_at = $2 where id = $1", [
      integration.id,
      ago(hour),
    ]);
    expect(await items()).toEqual([
      expect.objectContaining({
        kind: 'suspendedIntegrations',
        since: ago(hour).toISOString(),
        act: { label: 'Open the integration', page: 'adminIntegration', objectId: integration.slug },
      }),
    ]);
    await application.rows("update integration set status = 'suspended' where id = $1", [other.id]);
    expect(await items()).toEqual([
      expect.objectContaining({ title: '2 integrations suspended', act: expect.objectContaining({ page: 'adminIntegrations' }) }),
    ]);
  });

  test('dead letters wait until they are replayed, and an endpoint fails once it has failed for an hour, in production alone', async () => {
    await application.rows('update service_gate set production_data_enabled = true');
    await application.rows("update integration set status = 'active', production_gate_open = true where id = $1", [integration.id]);
    const sandbox = await numberOfClient(application, integration.slug);
    const production = await webhookEndpoint(application, clientNumber);
    for (const [number, endpoint] of [
      [sandbox, await webhookEndpoint(application, sandbox)],
      [clientNumber, production],
    ] as const) {
      await storedDelivery(application, { endpoint, clientNumber: number, state: 'dead', at: ago(3 * hour) });
      await application.rows('update webhook_endpoint set failing_since = $2 where number = $1', [endpoint.number, ago(2 * hour)]);
    }
    const found = await items();
    expect(found.map(({ kind, title, since }) => [kind, title, since])).toEqual([
      ['failingEndpoints', '1 webhook endpoint failing', ago(2 * hour).toISOString()],
      ['deadLettersWaiting', '1 dead letter waiting', ago(3 * hour).toISOString()],
    ]);
    await application.rows('update webhook_delivery set replayed_at = now()');
    // Where deliveries are held, nothing is attempted but what is never held.
    for (const [held, free] of [
      ["status = 'suspended'", "status = 'active'"],
      ['production_gate_open = false', 'production_gate_open = true'],
    ]) {
      await application.rows(`update integration set ${held} where id = $1`, [integration.id]);
      expect(await kinds()).not.toContain('failingEndpoints');
      for (const [type, attempts, told] of [
        ['resource.granted', 3, []],
        ['resource.revoked', 0, []],
        ['resource.revoked', 3, ['failingEndpoints']],
      ] as const) {
        const { id } = await storedDelivery(application, { endpoint: production, clientNumber, state: 'pending', type, attempts });
        expect([held, type, (await kinds()).filter((kind) => kind === 'failingEndpoints')]).toEqual([held, type, told]);
        await application.rows('delete from webhook_delivery where id = $1', [id]);
      }
      await application.rows(`update integration set ${free} where id = $1`, [integration.id]);
      expect(await kinds()).toEqual(['failingEndpoints']);
    }
    await application.rows('update webhook_endpoint set failing_since = $1', [ago(30 * minute)]);
    expect(await kinds()).toEqual([]);
    await application.rows('update service_gate set production_data_enabled = false');
    await application.rows('update integration set production_gate_open = false where id = $1', [integration.id]);
  });

  test('mail that has not been handed over in ten minutes is told as long as it is still to be sent', async () => {
    const mailId = await unsentMail(application, { operatorId: ownerId });
    await application.rows('update mail set created_at = $2 where id = $1', [mailId, ago(11 * minute)]);
    expect(await kinds()).toEqual([]);
    await job('sendMail', { mailId }, { attempts: 0, error: null });
    expect(await items()).toEqual([
      expect.objectContaining({ kind: 'lateMail', title: '1 email not sent', since: ago(11 * minute).toISOString() }),
    ]);
    await application.rows('update mail set created_at = $2 where id = $1', [mailId, ago(minute)]);
    expect(await kinds()).toEqual([]);
    await application.rows('delete from mail where id = $1', [mailId]);
  });

  test('an authority is told half a year before its end, and a revocation list when it was not renewed', async () => {
    const ends = await application.rows<{ id: string; not_after: Date }>('select id, not_after from certificate_authority');
    await application.rows("update certificate_authority set not_after = $1 where kind = 'issuing'", [ago(-100 * day)]);
    await application.rows('update certificate_revocation_list set next_update = $1', [ago(-4 * day)]);
    const [first, second] = await items();
    expect(first).toMatchObject({ kind: 'crlEnding', level: 'attention', title: '2 revocation lists not renewed' });
    expect(second).toMatchObject({ kind: 'authorityEnding', level: 'attention', title: 'The issuing authority ends soon' });
    await application.rows('delete from certificate_revocation_list');
    expect(await items()).toEqual([expect.objectContaining({ title: '2 revocation lists missing', level: 'failing' }), expect.anything()]);
    for (const { id, not_after: end } of ends)
      await application.rows('update certificate_authority set not_after = $2 where id = $1', [id, end]);
  });

  test('what cannot be read is said first, beside what was found, and nothing at all is no answer', async () => {
    await job('makeP12', {}, { attempts: 25, error: 'x' });
    await application.rows('alter table certificate_revocation_list rename to hidden');
    const found = await items();
    await application.rows('alter table hidden rename to certificate_revocation_list');
    expect(found.map(({ kind }) => kind)).toEqual(['unread', 'failedJobs']);
    expect(found[0]).toMatchObject({ level: 'failing', text: expect.stringContaining('revocation lists') });
    const unreachable = await createOrm('postgresql://nobody@127.0.0.1:9/nothing');
    await expect(serviceAttention(unreachable.em.fork(), present)).rejects.toThrow('ECONNREFUSED');
    await unreachable.close(true);
  });

  test('moves of gates are told for a day, and colleagues see who moved them, but nobody their own acts', async () => {
    const colleague = await administrator(application, 'colleague@example.org');
    await colleague.confirmFreshly();
    await colleague.must('openProductionGate', { input: { integrationId: integration.id, reason: 'Ready for production.' } });
    const { attention, staffActs } = await home();
    expect(attention.items).toEqual([
      expect.objectContaining({
        kind: 'gatesMoved',
        title: '1 gate changed',
        act: expect.objectContaining({ objectId: integration.slug }),
      }),
    ]);
    expect(staffActs).toEqual([expect.objectContaining({ action: 'integration.gate_opened', actorName: 'colleague@example.org' })]);
    expect((await colleague.must<Home>('administratorsHome')).staffActs).toEqual([]);
    // The service's own gate is told of with its own time, however long ago that of an integration was moved.
    application.clock.advance(15 * minute);
    await colleague.confirmFreshly();
    await colleague.must('openProductionGate', { input: { integrationId: null, reason: 'The service is ready.' } });
    const moved = (await items()).find(({ kind }) => kind === 'gatesMoved');
    expect(moved).toMatchObject({ title: 'The service gate was changed' });
    expect(application.clock.now().getTime() - Date.parse(moved?.since ?? '')).toBeLessThan(10 * minute);
    application.clock.advance(25 * hour);
    present = application.clock.now();
    await application.rows('update certificate_revocation_list set next_update = $1', [ago(-6 * day)]);
    const again = await administrator(application, 'later@example.org');
    expect((await again.must<Home>('administratorsHome')).attention.items).toEqual([]);
  });
});

test('requests of all clients are added up, and refusals are listed by their reason with the integrations they touch', async () => {
  const at = application.clock.now();
  const hourOf = new Date(Math.floor(at.getTime() / hour) * hour);
  for (const [status, count] of [
    [200, 40],
    [403, 7],
    [404, 5],
  ] as const) {
    await application.rows('insert into usage_counter (client_number, hour, route, status, count) values ($1, $2, $3, $4, $5)', [
      clientNumber,
      hourOf,
      'getSync',
      status,
      count,
    ]);
  }
  for (const [problem, status, count] of [
    ['integration_suspended', 403, 4],
    ['quota_exceeded', 429, 1],
    ['not_found', 404, 3],
  ] as const) {
    for (let turn = 0; turn < count; turn += 1) {
      await application.rows(
        `insert into request_log (client_number, occurred_at, request_id, method, route, status, problem_code, duration_ms) values ($1, $2, $3, 'GET', 'getSync', $4, $5, 1)`,
        [clientNumber, at, newId('req'), status, problem],
      );
    }
  }
  const reader = await administrator(application, 'reader@example.org');
  const { traffic, refusals } = await reader.must<Home>('administratorsHome');
  expect(traffic).toHaveLength(24);
  expect(traffic?.at(-1)).toMatchObject({ total: 52, failed: 7 });
  expect(refusals).toEqual([
    { problem: 'integration_suspended', requests: 4, more: false, integrations: 1 },
    { problem: 'quota_exceeded', requests: 1, more: false, integrations: 1 },
  ]);
});

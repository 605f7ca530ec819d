import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { integrationStatuses } from '../../../server/domain/integration/integrationStatus.ts';
import { acknowledgeRevocation } from '../../../server/domain/sharing/deletion/acknowledgeRevocation.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, fieldsOf, type PortalClient } from '../../support/clients/portalClient.ts';
import { SandboxClient } from '../../support/clients/sandboxClient.ts';
import { numberOfClient, revokedConnection, revokedOrder } from '../../support/world/revocationFixtures.ts';

const day = 24 * 60 * 60 * 1000;
type Counted = { count: number; overdueCount: number; selectionDigest: string; until: string };

let application: PortalWorld;
let owner: PortalClient;
let slug: string;
let integrationId: string;
let production: number;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  owner = await application.operator();
  ({ slug, id: integrationId } = await owner.createIntegration());
  production = await numberOfClient(application, slug, 'production');
  await owner.confirmFreshly();
});
afterAll(() => application.close());

const ago = (span: number, clientNumber = production) => ({ clientNumber, revokedAt: new Date(application.clock.now().getTime() - span) });
const recordDeletion = (revocationId: string, by = owner) => by.call('recordDeletion', { input: { revocationId } });
const stored = async (revocationId: string) =>
  (
    await application.rows('select acknowledged_at is not null as done, acknowledged_late as late from revocation where id = $1', [
      revocationId,
    ])
  )[0];

test('the owner records a deletion before the deadline; it counts like an acknowledgement', async () => {
  const { revocationId } = await revokedConnection(application, ago(day), 3);
  expect((await recordDeletion(revocationId)).data).toMatchObject({
    id: revocationId,
    environment: 'production',
    resourceCount: 3,
    acknowledgedLate: false,
    overdue: false,
  });
  expect(await stored(revocationId)).toEqual({ done: true, late: false });
});

test.each(integrationStatuses)(
  'after the deadline it is recorded as late, also while the integration is %s, whose status stays',
  async (status) => {
    await application.rows('update integration set status = $2 where id = $1', [integrationId, status]);
    const { revocationId } = await revokedOrder(application, ago(8 * day));
    expect((await recordDeletion(revocationId)).data).toMatchObject({ acknowledgedLate: true, overdue: false });
    expect(await stored(revocationId)).toEqual({ done: true, late: true });
    expect(await application.rows('select status from integration where id = $1', [integrationId])).toEqual([{ status }]);
  },
);

test('a recorded deletion stands in the owner’s trail, once, however many record it', async () => {
  const { revocationId } = await revokedOrder(application, ago(day));
  const answers = await Promise.all([1, 2, 3].map(() => recordDeletion(revocationId)));
  expect(answers.flatMap(codesOf)).toEqual(['CONFLICT', 'CONFLICT']);
  const entries = await application.rows(
    "select action, operator_id, details from audit_entry where subject_id = $1 and action like 'revocation%'",
    [revocationId],
  );
  const { data } = await owner.viewer();
  expect(entries).toEqual([{ action: 'revocation.deletion_recorded', operator_id: data?.operatorId, details: { late: false } }]);
});

test('what the back end acknowledged is not recorded again, and its acknowledgement of what was recorded is answered as before', async () => {
  const { revocationId } = await revokedOrder(application, ago(day));
  const acknowledge = (id: string) =>
    acknowledgeRevocation(application.orm.em.fork(), {
      actor: { type: 'client', clientId: 'cli_x', certificateId: 'crt_x', ip: '192.0.2.1', requestId: 'req_x' },
      client: { number: production },
      revocationId: id,
      idempotencyKey: `key-${id}`,
      deletionCompleted: true,
      now: application.clock.now(),
    });
  await acknowledge(revocationId);
  expect(codesOf(await recordDeletion(revocationId))).toEqual(['CONFLICT']);
  const late = (await revokedOrder(application, ago(9 * day))).revocationId;
  await expect(acknowledge(late)).rejects.toMatchObject({ code: 'acknowledgement_window_closed' });
  await recordDeletion(late);
  expect((await acknowledge(late)).acknowledgedAt).toBeInstanceOf(Date);
});

test('one of the sandbox can be recorded as well', async () => {
  const { revocationId } = await revokedOrder(application, ago(8 * day, await numberOfClient(application, slug)));
  expect((await recordDeletion(revocationId)).data).toMatchObject({ environment: 'sandbox', acknowledgedLate: true });
});

test('the deletion that comes with the test data is never late, recorded on its own or among many', async () => {
  const sandbox = await SandboxClient.open(application, ['orders.read']);
  await sandbox.operator.confirmFreshly();
  const fixture = async () => {
    const [row] = await application.rows<{ id: string; late: boolean; done: boolean }>(
      `update revocation r set deletion_deadline_at = $2 from client c where c.number = r.client_number and c.id = $1 and r.fixture
       returning r.id, acknowledged_late as late, acknowledged_at is not null as done`,
      [sandbox.clientId, ago(day).revokedAt],
    );
    return row;
  };
  const { id = '' } = (await fixture()) ?? {};
  expect((await recordDeletion(id, sandbox.operator)).data).toMatchObject({ acknowledgedLate: false });
  expect(await fixture()).toEqual({ id, late: false, done: true });

  await sandbox.must('regenerateSandboxCorpus');
  await sandbox.build();
  expect(await fixture()).toMatchObject({ late: false, done: false });
  const filter = {};
  const counted = await sandbox.operator.must<Counted>('deletionsToRecord', { slug: sandbox.slug, filter });
  expect(counted).toMatchObject({ count: 1, overdueCount: 0 });
  const input = { slug: sandbox.slug, filter, until: counted.until, expectedCount: 1, selectionDigest: counted.selectionDigest };
  expect((await sandbox.operator.call('recordDeletions', { input })).data).toEqual({ recorded: 1, late: 0 });
  expect(await fixture()).toMatchObject({ late: false, done: true });
});

test('another operator’s revocation reads like one that never was, and stays outstanding', async () => {
  const { revocationId } = await revokedOrder(application, ago(day));
  const stranger = await application.operator();
  await stranger.confirmFreshly();
  const answers = [await recordDeletion(revocationId, stranger), await recordDeletion(`rev_${'0'.repeat(26)}`, stranger)];
  expect(answers.map(codesOf)).toEqual([['NOT_FOUND'], ['NOT_FOUND']]);
  expect(answers[0]?.text).toBe(answers[1]?.text);
  expect(await stored(revocationId)).toEqual({ done: false, late: false });
});

describe('many deletions at once', () => {
  const count = (filter: object = {}) => owner.must<Counted>('deletionsToRecord', { slug: many, filter });
  const recordAll = (filter: object, { count: expectedCount, selectionDigest, until }: Counted, by = owner) =>
    by.call<{ recorded: number; late: number }>('recordDeletions', {
      input: { slug: many, filter, until, expectedCount, selectionDigest },
    });
  let many: string;
  let sandbox: number;
  beforeAll(async () => {
    await application.rows("update integration set status = 'active' where id = $1", [integrationId]);
    ({ slug: many } = await owner.createIntegration());
    [production, sandbox] = [await numberOfClient(application, many, 'production'), await numberOfClient(application, many)];
  });

  test('are counted by environment, deadline and connection before they are recorded', async () => {
    for (const days of [1, 8, 9]) await revokedOrder(application, ago(days * day));
    const { revocationId } = await revokedConnection(application, ago(2 * day), 2);
    for (const days of [1, 2, 8]) await revokedOrder(application, ago(days * day, sandbox));
    const [{ connection } = { connection: '' }] = await application.rows<{ connection: string }>(
      'select connection_id as connection from revocation where id = $1',
      [revocationId],
    );
    expect(await count()).toMatchObject({ count: 7, overdueCount: 3 });
    expect(await count({ environment: 'production' })).toMatchObject({ count: 4, overdueCount: 2 });
    expect(await count({ environment: 'sandbox', overdue: true })).toMatchObject({ count: 1, overdueCount: 1 });
    expect(await count({ connectionId: connection })).toMatchObject({ count: 1, overdueCount: 0 });
    const garbled = { connectionId: 'con_x' };
    const message = 'A connection ID begins with con_ and has 30 characters.';
    expect(fieldsOf(await owner.call('deletionsToRecord', { slug: many, filter: garbled }))).toEqual({ 'filter.connectionId': message });
    expect(fieldsOf(await recordAll(garbled, await count()))).toEqual({ 'input.filter.connectionId': message });
  });

  test('what is revoked after the count stays outstanding, and with another number by now nothing is recorded', async () => {
    const counted = await count({ environment: 'production' });
    application.clock.advance(1000);
    const { revocationId: later } = await revokedOrder(application, ago(0));
    const { revocationId: earlier } = await revokedOrder(application, ago(3 * day));
    const refused = await recordAll({ environment: 'production' }, counted);
    expect([codesOf(refused), refused.errors[0]?.message]).toEqual([
      ['CONFLICT'],
      'The filter now finds 5 outstanding deletions, not 4. Nothing was recorded. Check the list and the count again.',
    ]);
    await recordDeletion(earlier);
    expect(await recordAll({ environment: 'production' }, counted)).toMatchObject({ data: { recorded: 4, late: 2 } });
    expect(await stored(later)).toEqual({ done: false, late: false });
    expect(await count()).toMatchObject({ count: 4 });
  });

  test('a call that is repeated, because its answer was lost, is answered the same, and nothing is recorded twice', async () => {
    const { slug: own } = await owner.createIntegration();
    const clientNumber = await numberOfClient(application, own, 'production');
    for (const days of [1, 9]) await revokedOrder(application, ago(days * day, clientNumber));
    const { count: expectedCount, selectionDigest, until } = await owner.must<Counted>('deletionsToRecord', { slug: own, filter: {} });
    const input = { slug: own, filter: {}, until, expectedCount, selectionDigest };
    const both = await Promise.all([1, 2].map(() => owner.call('recordDeletions', { input })));
    expect(both.map(({ data }) => data)).toEqual([1, 2].map(() => ({ recorded: 2, late: 1 })));
    application.clock.advance(60_000);
    await revokedOrder(application, ago(0, clientNumber));
    expect((await owner.call('recordDeletions', { input })).data).toEqual({ recorded: 2, late: 1 });
    const lines = `select count(*)::int as lines from audit_entry where action = 'integration.deletions_recorded'
       and integration_id = (select id from integration where slug = $1)`;
    expect(await application.rows(lines, [own])).toEqual([{ lines: 1 }]);
    expect(codesOf(await owner.call('recordDeletions', { input: { ...input, selectionDigest: '0'.repeat(64) } }))).toEqual(['CONFLICT']);
  });

  test('nothing is recorded when one of them was acknowledged and another came in its place, though the number is the same', async () => {
    const { slug: own } = await owner.createIntegration();
    const clientNumber = await numberOfClient(application, own);
    for (const days of [1, 2]) await revokedOrder(application, ago(days * day, clientNumber));
    const counted = await owner.must<Counted>('deletionsToRecord', { slug: own, filter: {} });
    const [gone] = await application.rows<{ id: string }>(
      'update revocation set acknowledged_at = $2 where id = (select min(id) from revocation where client_number = $1) returning id',
      [clientNumber, application.clock.now()],
    );
    // A revocation that was under way while they were counted.
    const { revocationId: instead } = await revokedOrder(application, ago(day, clientNumber));
    const { count: expectedCount, selectionDigest, until } = counted;
    const input = { slug: own, filter: {}, until, expectedCount, selectionDigest };
    const refused = await owner.call('recordDeletions', { input });
    expect([codesOf(refused), refused.errors[0]?.message]).toEqual([
      ['CONFLICT'],
      'The filter still finds 2 outstanding deletions, but not the same ones. Nothing was recorded. Check the list and the count again.',
    ]);
    expect(await stored(instead)).toEqual({ done: false, late: false });
    await recordDeletion(instead);
    await application.rows('update revocation set acknowledged_at = null where id = $1', [gone?.id]);
    expect((await owner.call('recordDeletions', { input })).data).toEqual({ recorded: 2, late: 0 });
  });

  test('those that the owner chooses are recorded in one step, and none of another integration or of another operator', async () => {
    const { slug: own } = await owner.createIntegration();
    const clientNumber = await numberOfClient(application, own);
    const chosen: string[] = [];
    for (const days of [1, 2, 9]) chosen.push((await revokedOrder(application, ago(days * day, clientNumber))).revocationId);
    const { revocationId: unchosen } = await revokedOrder(application, ago(3 * day, clientNumber));
    const { slug: other } = await owner.createIntegration();
    const { revocationId: elsewhere } = await revokedOrder(application, ago(day, await numberOfClient(application, other)));
    const countIn = (revocationIds: string[]) => owner.must<Counted>('deletionsToRecord', { slug: own, filter: { revocationIds } });
    const counted = await countIn([...chosen, elsewhere]);
    expect(counted).toMatchObject({ count: 3, overdueCount: 1 });
    expect(await countIn([])).toMatchObject({ count: 0 });
    const { count: expectedCount, selectionDigest, until } = counted;
    const input = { slug: own, filter: { revocationIds: [...chosen, elsewhere] }, until, expectedCount, selectionDigest };
    expect((await owner.call('recordDeletions', { input })).data).toEqual({ recorded: 3, late: 1 });
    for (const id of chosen) expect(await stored(id)).toMatchObject({ done: true });
    for (const id of [unchosen, elsewhere]) expect(await stored(id)).toMatchObject({ done: false });
  });

  test('IDs that are none, or more than a page of them, are refused with the reason', async () => {
    const refusalOf = async (revocationIds: string[]) =>
      fieldsOf(await owner.call('deletionsToRecord', { slug: many, filter: { revocationIds } }))['filter.revocationIds'];
    expect(await refusalOf(['con_x'])).toBe('A revocation ID begins with rev_ and has 30 characters.');
    const id = `rev_${'0'.repeat(26)}`;
    expect(await refusalOf(Array.from({ length: 101 }, () => id))).toBe('At most 100 deletions can be chosen by their IDs.');
  });

  test('all that are due leave out the fixture of the test data', async () => {
    const young = await SandboxClient.open(application, ['orders.read']);
    const counted = (filter: object) => young.operator.must<Counted>('deletionsToRecord', { slug: young.slug, filter });
    expect([(await counted({})).count, (await counted({ due: true })).count]).toEqual([1, 0]);
  });

  test('each is marked as recorded by hand, stands in the trail, and is evidence for a review where it was in time', async () => {
    const evidence = async () =>
      await application.rows<{ kind: string; count: number }>('select kind, count::int from review_evidence where client_number = $1', [
        sandbox,
      ]);
    expect(await evidence()).toEqual([]);
    expect(await recordAll({ environment: 'sandbox' }, await count({ environment: 'sandbox' }))).toMatchObject({
      data: { recorded: 3, late: 1 },
    });
    expect(await evidence()).toEqual([{ kind: 'tombstone_acknowledged', count: 2 }]);
    const rows = await application.rows(
      `select acknowledged_late as late, recorded_by_hand as "byHand", (select count(*)::int from audit_entry a where a.subject_id = r.id) as lines
         from revocation r where client_number = $1 order by deletion_deadline_at`,
      [sandbox],
    );
    expect(rows).toEqual([true, false, false].map((late) => ({ late, byHand: true, lines: 1 })));
    const { revocationId } = await revokedOrder(application, ago(day, sandbox));
    expect((await recordDeletion(revocationId)).data).toMatchObject({ recordedByHand: true });
    expect(await evidence()).toEqual([{ kind: 'tombstone_acknowledged', count: 3 }]);
  });

  test('another operator can neither count nor record them, and nobody more than 10,000 at once', async () => {
    const stranger = await application.operator();
    await stranger.confirmFreshly();
    const counted = await count();
    expect(codesOf(await recordAll({}, counted, stranger))).toEqual(['NOT_FOUND']);
    expect(codesOf(await stranger.call('deletionsToRecord', { slug: many }))).toEqual(['NOT_FOUND']);
    const refusalOf = async (expected: number) => fieldsOf(await recordAll({}, { ...counted, count: expected }))['input.expectedCount'];
    expect(await refusalOf(10_001)).toMatch(/^At most 10,000 deletions/);
    for (const none of [0, -1]) expect(await refusalOf(none)).toMatch(/^Send a count of at least 1\./);
    const garbled = await recordAll({}, { ...counted, selectionDigest: 'x' });
    expect(garbled.errors[0]?.extensions.fields?.[0]?.path).toBe('input.selectionDigest');
  });
});

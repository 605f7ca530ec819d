import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { acknowledgeRevocation } from '../../server/domain/sharing/acknowledgeRevocation.ts';
import { startPortalApplication, type PortalApplication } from '../support/portalApplication.ts';
import { codesOf, type PortalClient } from '../support/portalClient.ts';
import { clientNumber, revokedConnection, revokedOrder } from '../support/revocationFixtures.ts';

const day = 24 * 60 * 60 * 1000;

let application: PortalApplication;
let owner: PortalClient;
let slug: string;
let integrationId: string;
let production: number;
beforeAll(async () => {
  application = await startPortalApplication();
  owner = await application.operator();
  ({ slug, id: integrationId } = await owner.createIntegration());
  production = await clientNumber(application, slug, 'production');
  await owner.confirmFreshly();
});
afterAll(() => application.stop());

const ago = (span: number, clientNo = production) => ({ clientNo, revokedAt: new Date(application.clock.now().getTime() - span) });
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

test.each(['active', 'suspended', 'retired'])(
  'after the deadline it is marked late, also while the integration is %s, whose status stays',
  async (status) => {
    await application.rows('update integration set status = $2 where id = $1', [integrationId, status]);
    const { revocationId } = await revokedOrder(application, ago(8 * day));
    expect((await recordDeletion(revocationId)).data).toMatchObject({ acknowledgedLate: true, overdue: false });
    expect(await stored(revocationId)).toEqual({ done: true, late: true });
    expect(await application.rows('select status from integration where id = $1', [integrationId])).toEqual([{ status }]);
  },
);

test('a recorded deletion stands in the owner’s trail, and nothing is recorded twice, whoever came first', async () => {
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
      client: { no: production },
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
  const { revocationId } = await revokedOrder(application, ago(8 * day, await clientNumber(application, slug)));
  expect((await recordDeletion(revocationId)).data).toMatchObject({ environment: 'sandbox', acknowledgedLate: true });
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

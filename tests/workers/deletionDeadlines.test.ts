import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseCrontab } from 'graphile-worker';
import { integrationTransitions, statusesThat } from '../../server/domain/integration/integrationStatus.ts';
import { reactivateIntegration } from '../../server/domain/integration/status/reactivateIntegration.ts';
import { enforceDeletionDeadlines as enforceDeadlines } from '../../server/domain/sharing/deletion/enforceDeletionDeadlines.ts';
import { mayStart } from '../../server/domain/shared/stateMachine.ts';
import { recordDeletion } from '../../server/domain/sharing/deletion/recordDeletion.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { crontab } from '../../workers/crontab.ts';
import { createOrm } from '../../server/database/orm.ts';
import { startWorkers } from '../../workers/startWorkers.ts';
import { enforceDeletionDeadlines } from '../../workers/tasks/enforceDeletionDeadlines.ts';
import { Fixtures, type TestClient } from '../support/world/Fixtures.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import type { PortalClient } from '../support/clients/portalClient.ts';
import { acknowledge, numberOfClient, manyRevocations, revokedConnection, revokedOrder } from '../support/world/revocationFixtures.ts';
import { signingKeys } from '../support/world/testKeys.ts';
import { administrator } from '../support/clients/toolingClient.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;

let application: PortalWorld;
let fixtures: Fixtures;
let admin: PortalClient;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  fixtures = new Fixtures(application.databaseUrl);
  admin = await administrator(application);
  await admin.confirmFreshly();
});
afterAll(async () => {
  await fixtures.end();
  await application.close();
});

/** An active integration. Its revocations are backdated, so that the present moment is as long after them as a test needs. */
const active = (environment: 'sandbox' | 'production' = 'production') => fixtures.listeningClient({ environment, status: 'active' });
const revoked = (client: TestClient, ago: number) =>
  revokedOrder(application, { clientNumber: client.number, revokedAt: new Date(application.clock.now().getTime() - ago) });
/** Workers that run the scheduled task, all at the same moment. */
const workers = (count = 1) =>
  Promise.all(Array.from({ length: count }, () => enforceDeletionDeadlines(undefined, application.workerContext())));

const statusOf = async ({ integrationId }: TestClient) =>
  (await application.rows<{ status: string }>('select status from integration where id = $1', [integrationId]))[0]?.status;
const eventsOf = async ({ number }: TestClient) =>
  (await application.rows<{ type: string }>('select type from webhook_event where client_number = $1', [number])).map(({ type }) => type);
/** The kinds of mail that the owner has been sent, oldest first. */
async function mailsOf({ operatorId }: TestClient): Promise<string[]> {
  await application.work();
  const rows = await application.rows<{ kind: string }>(
    'select kind from mail where operator_id = $1 and sent_at is not null order by created_at, id',
    [operatorId],
  );
  return rows.map(({ kind }) => kind);
}

test('an owner is warned in the very moment in which day 5 begins, suspended in that of day 7, and not a millisecond earlier', async () => {
  const client = await active();
  const revokedAt = new Date(application.clock.now().getTime() - 8 * day);
  await revokedOrder(application, { clientNumber: client.number, revokedAt });
  const look = (after: number) => enforceDeadlines(application.orm.em.fork(), { now: new Date(revokedAt.getTime() + after) });
  await look(5 * day - 1);
  expect(await mailsOf(client)).toEqual([]);
  await look(5 * day);
  expect(await mailsOf(client)).toEqual(['deletion_warning']);
  await look(7 * day - 1);
  expect(await statusOf(client)).toBe('active');
  await look(7 * day);
  expect([await statusOf(client), await mailsOf(client)]).toEqual(['suspended', ['deletion_warning', 'integration_suspended']]);
});

test('a deadline in a status that only a later release knows is left to that release', async () => {
  await application.rows('alter table integration drop constraint integration_status_check');
  const client = await active();
  const becomes = (status: string) => application.rows('update integration set status = $2 where id = $1', [client.integrationId, status]);
  await revoked(client, 8 * day);
  await becomes('of_a_later_release');
  await workers();
  expect(await statusOf(client)).toBe('of_a_later_release');
  await becomes('active');
  await workers();
  expect(await statusOf(client)).toBe('suspended');
});

describe('with a worker that runs all the time', () => {
  test('nothing happens before day 5, one warning on day 5, one suspension on day 7, each with one mail', async () => {
    const client = await active();
    const { revocationId } = await revoked(client, 0);
    application.clock.advance(5 * day - hour);
    await workers();
    expect([await statusOf(client), await mailsOf(client)]).toEqual(['active', []]);

    application.clock.advance(hour + 1000);
    for (let turn = 0; turn < 3; turn += 1) await workers();
    expect([await statusOf(client), await mailsOf(client)]).toEqual(['active', ['deletion_warning']]);

    application.clock.advance(2 * day - 2000);
    await workers();
    expect(await statusOf(client)).toBe('active');
    application.clock.advance(2000);
    for (let turn = 0; turn < 3; turn += 1) await workers();
    expect([await statusOf(client), await mailsOf(client)]).toEqual(['suspended', ['deletion_warning', 'integration_suspended']]);
    const staffMails = await application.rows(
      'select kind, details from mail where operator_id <> $1 and integration_id = $2 and sent_at is not null',
      [client.operatorId, client.integrationId],
    );
    expect(staffMails).toEqual([{ kind: 'deletions_overdue', details: { deletions: 1, suspended: 1 } }]);
    expect(await eventsOf(client)).toEqual(['integration.suspended']);
    const [row] = await application.rows('select status_reason, status_changed_at is not null as dated from integration where id = $1', [
      client.integrationId,
    ]);
    expect(row).toEqual({ status_reason: `The deletion for revocation ${revocationId} was not acknowledged within 7 days.`, dated: true });
  });

  test('the mails say what to do until when, and why', async () => {
    const operator = await application.operator();
    const { id, slug } = await operator.createIntegration();
    await application.rows("update integration set status = 'active', reviewed_profile_version = 1 where id = $1", [id]);
    const clientNumber = await numberOfClient(application, slug, 'production');
    const revokedAt = new Date(application.clock.now().getTime() - 6 * day);
    await revokedConnection(application, { clientNumber, revokedAt }, 2);
    const { revocationId } = await revokedOrder(application, { clientNumber, revokedAt: new Date(revokedAt.getTime() - hour) });
    await workers();
    const [warning] = await operator.mails();
    expect(warning?.text).toContain(`/integrations/${slug}/deletions`);
    expect(warning?.text).toContain('2 deletions');
    expect(warning?.text).toContain(revocationId);
    application.clock.advance(day);
    await workers();
    const [suspension] = await operator.mails();
    expect(suspension?.text).toContain('2 deletions were not acknowledged within 7 days.');
    expect((await operator.mails()).filter(({ subject }) => /suspend/i.test(subject))).toHaveLength(1);
  });
});

describe('with the worker down over both days and started after', () => {
  test('there is one suspension with one mail, and no warning of what is over, also with four workers at once', async () => {
    const client = await active();
    await revoked(client, 7 * day + hour);
    await revoked(client, 9 * day);
    await workers(4);
    await workers(4);
    expect([await statusOf(client), await eventsOf(client)]).toEqual(['suspended', ['integration.suspended']]);
    expect(await mailsOf(client)).toEqual(['integration_suspended']);
    const entries = await application.rows('select actor_type, details from audit_entry where integration_id = $1', [client.integrationId]);
    expect(entries).toEqual([
      { actor_type: 'system', details: { missedDeletions: 2, reason: '2 deletions were not acknowledged within 7 days.' } },
    ]);
  });

  test('two worker processes that start at the same moment do the same from the queue', async () => {
    const [late, near] = [await active(), await active()];
    await revoked(late, 10 * day);
    await revoked(near, 6 * day);
    await application.rows("select graphile_worker.add_job('enforceDeletionDeadlines') from generate_series(1, 6)");
    const { urls, keyRing, portalUrl, clock } = application;
    const orm = await createOrm(urls.workers);
    const { mailer, supportContact } = application.workerContext();
    const logger = createLogger('test', 'silent');
    const dependencies = {
      databaseUrl: urls.workers,
      orm,
      keyRing,
      signingKeys,
      mailer,
      portalUrl,
      supportContact,
      machineApiOrigin: () => 'https://api.example',
      logger,
      clock,
      pollInterval: 50,
    };
    const processes = await Promise.all([startWorkers(dependencies), startWorkers(dependencies)]);
    const waiting = () =>
      application.rows("select 1 from graphile_worker.jobs where task_identifier in ('enforceDeletionDeadlines', 'sendMail')");
    while ((await waiting()).length > 0) await new Promise((resolve) => setTimeout(resolve, 20));
    await Promise.all(processes.map((each) => each.stop()));
    await orm.close(true);
    expect([await statusOf(late), await mailsOf(late), await eventsOf(late)]).toEqual([
      'suspended',
      ['integration_suspended'],
      ['integration.suspended'],
    ]);
    expect([await statusOf(near), await mailsOf(near)]).toEqual(['active', ['deletion_warning']]);
  }, 90_000);

  test('a deadline that is still ahead is warned of once, although day 5 was missed by a day', async () => {
    const client = await active();
    await revoked(client, 6 * day);
    await workers(4);
    await workers();
    expect([await statusOf(client), await mailsOf(client)]).toEqual(['active', ['deletion_warning']]);
  });
});

test('what reached day 5 together is one mail, what comes later is another', async () => {
  const client = await active();
  for (let n = 0; n < 3; n += 1) await revoked(client, 5 * day + n * hour);
  await workers();
  expect(await mailsOf(client)).toEqual(['deletion_warning']);
  await revoked(client, 5 * day);
  await workers();
  expect(await mailsOf(client)).toEqual(['deletion_warning', 'deletion_warning']);
});

test('administrators are told of each suspension, also where one is reactivated and suspended again on the same day, and of the rest once a day', async () => {
  const client = await active();
  const suspensions = async () => {
    await application.work();
    const told = "select (details->>'suspended')::int as suspended from mail where kind = 'deletions_overdue' and integration_id = $1";
    return (await application.rows<{ suspended: number }>(told, [client.integrationId])).map(({ suspended }) => suspended).toSorted();
  };
  for (let times = 0; times < 2; times += 1) {
    await revoked(client, 8 * day);
    await workers();
    expect(await statusOf(client)).toBe('suspended');
    for (let late = 0; late < 2; late += 1) {
      await revoked(client, 8 * day);
      await workers();
    }
    await reactivateIntegration(application.orm.em.fork(), {
      actor: { type: 'system', name: 'terminal' },
      integrationId: client.integrationId,
      reason: 'They have told us.',
      now: application.clock.now(),
    });
    application.clock.advance(1000);
  }
  expect(await suspensions()).toEqual([0, 1, 1]);
});

test('an acknowledged deletion is neither warned of nor enforced, and one in the sandbox never', async () => {
  const [production, sandbox] = [await active(), await active('sandbox')];
  for (const ago of [6 * day, 8 * day]) {
    await acknowledge(application, (await revoked(production, ago)).revocationId, application.clock.now());
    await revoked(sandbox, ago);
  }
  await workers();
  for (const client of [production, sandbox]) {
    expect([await statusOf(client), await mailsOf(client), await eventsOf(client)]).toEqual(['active', [], []]);
  }
});

test('beside a production deletion that is due, those of the sandbox are neither counted nor named nor marked', async () => {
  const [late, near] = [await active(), await active()];
  const due = async (client: TestClient, days: number) => {
    const sandbox = await numberOfClient(application, client.integrationId.replace('_', '-'), 'sandbox');
    // The sandbox's revocations are older, so they would be named first.
    for (const more of [2, 1]) await revoked({ ...client, number: sandbox }, days * day + more * hour);
    return { sandbox, ...(await revoked(client, days * day)) };
  };
  const [missed, warned] = [await due(late, 8), await due(near, 6)];
  await workers();
  expect([await mailsOf(late), await mailsOf(near)]).toEqual([['integration_suspended'], ['deletion_warning']]);
  const detailsOf = async ({ operatorId }: TestClient) =>
    (await application.rows<{ details: object }>('select details from mail where operator_id = $1', [operatorId]))[0]?.details;
  const reason = `The deletion for revocation ${missed.revocationId} was not acknowledged within 7 days.`;
  expect(await detailsOf(late)).toEqual({ reason, outstanding: 1 });
  expect(await application.rows('select status_reason from integration where id = $1', [late.integrationId])).toEqual([
    { status_reason: reason },
  ]);
  expect(await detailsOf(near)).toEqual({ deletions: 1, revocationId: warned.revocationId, deadline: expect.any(String) });
  const marked = await application.rows(
    'select id from revocation where client_number = any ($1::int[]) and (warned_at is not null or enforced_at is not null)',
    [[missed.sandbox, warned.sandbox]],
  );
  expect(marked).toEqual([]);
});

test('after a reactivation the same revocation never suspends again, another one does', async () => {
  const client = await active();
  await revoked(client, 8 * day);
  await workers();
  await admin.signIn();
  await admin.confirmFreshly();
  await admin.must('reactivateIntegration', { input: { integrationId: client.integrationId, reason: 'They promised to delete tonight.' } });
  await workers(2);
  expect([await statusOf(client), await mailsOf(client)]).toEqual(['active', ['integration_suspended', 'integration_reactivated']]);
  await revoked(client, 7 * day);
  await workers(2);
  expect(await statusOf(client)).toBe('suspended');
  expect(await mailsOf(client)).toEqual(['integration_suspended', 'integration_reactivated', 'integration_suspended']);
});

test.each(statusesThat((status) => !mayStart(integrationTransitions, 'suspendForMissedDeletion', status)))(
  'a deadline that passes while the integration is %s changes nothing, then or later',
  async (status) => {
    const client = await fixtures.client({ environment: 'production', status });
    await revoked(client, 8 * day);
    await workers();
    expect([await statusOf(client), await eventsOf(client), await mailsOf(client)]).toEqual([status, [], []]);
    await application.rows("update integration set status = 'active' where id = $1", [client.integrationId]);
    await workers();
    expect(await statusOf(client)).toBe('active');
  },
);

test('a deletion recorded in the same moment either comes first, or comes late: never a deadlock, never a second suspension', async () => {
  const clients = await Promise.all(Array.from({ length: 8 }, () => active()));
  const revocations = await Promise.all(clients.map((client) => revoked(client, 7 * day)));
  await Promise.all([
    workers(2),
    ...clients.map(({ operatorId }, n) =>
      recordDeletion(application.orm.em.fork(), {
        actor: { type: 'operator', operatorId, roles: [], ip: '192.0.2.1', requestId: 'req_x' },
        revocationId: revocations[n]?.revocationId ?? '',
        now: application.clock.now(),
      }),
    ),
  ]);
  for (const client of clients) {
    const suspended = (await statusOf(client)) === 'suspended';
    expect(await eventsOf(client)).toEqual(suspended ? ['integration.suspended'] : []);
  }
});

test('an integration whose suspension or warning fails holds up no other, and is tried again', async () => {
  const [broken, late, near, unwarned] = [await active(), await active(), await active(), await active()];
  await revoked(broken, 9 * day);
  await revoked(late, 8 * day);
  await revoked(unwarned, 6.5 * day);
  await revoked(near, 6 * day);
  await application.rows(`create function refuse_it() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`);
  await application.rows(`create trigger refuse_it before update on integration for each row
    when (old.id = '${broken.integrationId}') execute function refuse_it()`);
  await application.rows(`create trigger refuse_it before insert on mail for each row
    when (new.integration_id = '${unwarned.integrationId}') execute function refuse_it()`);
  await expect(workers()).rejects.toThrow('broken');
  expect([await statusOf(broken), await mailsOf(broken)]).toEqual(['active', []]);
  expect([await statusOf(late), await mailsOf(late)]).toEqual(['suspended', ['integration_suspended']]);
  expect([await statusOf(near), await mailsOf(near)]).toEqual(['active', ['deletion_warning']]);
  expect([await statusOf(unwarned), await mailsOf(unwarned)]).toEqual(['active', []]);

  await application.rows('drop trigger refuse_it on integration');
  // A failure is reported, even where only a warning failed.
  await expect(workers()).rejects.toThrow('broken');
  await application.rows('drop trigger refuse_it on mail');
  await workers();
  expect(await mailsOf(unwarned)).toEqual(['deletion_warning']);
  expect([await statusOf(broken), await mailsOf(broken)]).toEqual(['suspended', ['integration_suspended']]);
  expect(await mailsOf(late)).toHaveLength(1);
});

test('a scheduled job that failed and waits gives its place to the next run, so that an outage leaves one of them', async () => {
  const items = parseCrontab(crontab);
  expect(items.map(({ task }) => task).sort()).toEqual(
    [
      'announceAccountResets',
      'endCertificates',
      'enforceDeletionDeadlines',
      'expireP12s',
      'judgeHealth',
      'keepPartitions',
      'keepSigningKeys',
      'publishCrls',
      'removeExpired',
      'warnOfExpiringCertificates',
      'warnOfQuotas',
      'warnOfWebhooks',
    ].sort(),
  );
  for (const { task, options } of items) expect([options.jobKey, options.jobKeyMode]).toEqual([task, 'replace']);
});

test('more deadlines than one look takes up are all kept, and a worker looks every five minutes', async () => {
  const client = await active();
  await manyRevocations(
    application,
    { clientNumber: client.number, revokedAt: new Date(application.clock.now().getTime() - 8 * day) },
    1_200,
  );
  const others = await Promise.all(Array.from({ length: 5 }, () => active()));
  for (const other of others) await revoked(other, 7 * day + hour);
  await workers(2);
  for (const each of [client, ...others])
    expect([await statusOf(each), await mailsOf(each)]).toEqual(['suspended', ['integration_suspended']]);
  const [open] = await application.rows<{ count: number }>(
    'select count(*)::int from revocation where client_number = $1 and enforced_at is null',
    [client.number],
  );
  expect(open?.count).toBe(0);
  expect(crontab).toContain('*/5 * * * * enforceDeletionDeadlines');
});

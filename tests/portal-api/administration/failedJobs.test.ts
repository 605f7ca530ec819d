import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { registry } from '../../../server/platform/metrics.ts';
import { observeQueue } from '../../../workers/observeQueue.ts';
import type { Connection } from '../../support/clients/pages.ts';
import { webhookEndpoint } from '../../support/webhooks/endpointRows.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, fieldsOf, type PortalClient } from '../../support/clients/portalClient.ts';
import { numberOfClient } from '../../support/world/revocationFixtures.ts';
import { administrator } from '../../support/clients/toolingClient.ts';
import { unsentMail } from '../../support/world/recordFixtures.ts';

type Job = { id: string; name: string; state: string; attempts: number; lastError: string; nextRunAt: string | null };

let application: PortalWorld;
let admin: PortalClient;
let owner: PortalClient;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  [admin, owner] = [await administrator(application), await application.operator('anna.keller@example.org')];
  await admin.confirmFreshly();
});
afterAll(() => application.close());

const idOf = async (client: PortalClient) => (await client.viewer()).data?.operatorId ?? '';

describe('jobs that failed', () => {
  const jobs = async () => (await admin.must<Connection<Job>>('failedJobs')).edges.map(({ node }) => node);
  const failing = async (lastError: string, attempts: number, locked = false) => {
    const [row] = await application.rows<{ id: string }>(
      `select id from graphile_worker.add_job('sendMail', '{"mailId":"mail_x"}', run_at => now() + interval '1 hour')`,
    );
    await application.rows(
      `update graphile_worker._private_jobs set last_error = $2, attempts = $3, locked_at = case when $4 then now() end, locked_by = case when $4 then 'w' end where id = $1`,
      [row?.id, lastError, attempts, locked],
    );
    return row?.id ?? '';
  };

  test('they are shown with their attempts and next run, never with what a driver quoted', async () => {
    await application.rows("select graphile_worker.add_job('sendMail', '{}', run_at => now() + interval '1 hour')");
    const retrying = await failing('sendMail failed (ECONNREFUSED); the log has the reason', 3);
    const ended = await failing('550 mailbox anna.keller@example.org unavailable', 25);
    const [first, second, ...others] = await jobs();
    expect(others).toEqual([]);
    expect(first).toMatchObject({ id: ended, state: 'failed', lastError: 'sendMail failed; the log has the reason', nextRunAt: null });
    expect(second).toMatchObject({ id: retrying, state: 'retrying', attempts: 3, lastError: expect.stringContaining('ECONNREFUSED') });
    expect(Date.parse(second?.nextRunAt ?? '')).toBeGreaterThan(Date.now());
  });

  test('the metrics say how many jobs of a kind are due, tried again or given up, and how long the oldest has waited', async () => {
    await application.rows(
      `select graphile_worker.add_job('announceTerms', '{}', run_at => now() - n * interval '1 hour') from generate_series(1, 2) n`,
    );
    await observeQueue(application.pool);
    const shown = (await registry.metrics()).split('\n');
    expect(shown).toEqual(
      expect.arrayContaining([
        'svc_queue_jobs{task="announceTerms",state="due"} 2',
        'svc_queue_jobs{task="sendMail",state="retrying"} 1',
        'svc_queue_jobs{task="sendMail",state="failed"} 1',
        'svc_queue_jobs{task="makeP12",state="due"} 0',
        'svc_queue_oldest_due_seconds{task="makeP12"} 0',
        expect.stringMatching(/^svc_database_pool_connections\{pool="portal",state="idle"\} [1-9]/),
        expect.stringMatching(/^svc_queue_oldest_due_seconds\{task="announceTerms"\} 72\d\d/),
        expect.stringMatching(/^svc_graphql_operation_duration_seconds_count\{operation="failedJobs",outcome="done"\} \d+$/),
      ]),
    );
    // This PostgreSQL archives nothing, and 0 would look like an archive that is up to date.
    expect(shown.filter((line) => line.startsWith('svc_wal_archive_age_seconds'))).toEqual([]);
    await application.rows(`delete from graphile_worker._private_jobs where last_error is null`);
  });

  test('they are filtered by state and by kind, and ordered by age', async () => {
    const [row] = await application.rows<{ id: string }>(
      `select id from graphile_worker.add_job('issueCertificate', '{}', run_at => now() + interval '1 hour')`,
    );
    await application.rows(`update graphile_worker._private_jobs set last_error = 'x', attempts = 2 where id = $1`, [row?.id]);
    const found = async (variables: Record<string, unknown>) =>
      (await admin.must<Connection<Job>>('failedJobs', variables)).edges.map(({ node }) => `${node.name} ${node.state}`);
    const all = await found({});
    expect(all).toEqual(['issueCertificate retrying', 'sendMail failed', 'sendMail retrying']);
    expect(await found({ order: 'oldest' })).toEqual(all.toReversed());
    expect(await found({ filter: { state: 'failed' } })).toEqual(['sendMail failed']);
    expect(await found({ filter: { search: 'sendmail' } })).toEqual(['sendMail failed', 'sendMail retrying']);
    expect(await found({ filter: { search: 'sendMail', state: 'retrying' }, order: 'oldest' })).toEqual(['sendMail retrying']);
    expect(await found({ filter: { search: 'nothingLikeThis' } })).toEqual([]);
    expect(fieldsOf(await admin.call('failedJobs', { filter: { search: 'a\u0007' } }))).toHaveProperty(['filter.search']);
    await application.rows('delete from graphile_worker._private_jobs where id = $1', [row?.id]);
  });

  test('they are found by their number, by what they were given, and by the integration or account that they are about', async () => {
    const {
      id: integrationId,
      slug,
      clientId,
      commonName,
    } = await owner.createIntegration({ publicName: 'Quay Seven', slug: 'quay-seven' });
    const certificate = await owner.issuedCertificate({ slug, clientId, commonName });
    await application.rows("update certificate set status = 'failed', slot = null where id = $1", [certificate.id]);
    const mails = {
      about: await unsentMail(application, { operatorId: await idOf(owner), integrationId }),
      staff: await unsentMail(application, { operatorId: await idOf(admin), integrationId }),
      other: await unsentMail(application, { operatorId: await idOf(owner) }),
    };
    const failed = async (name: string, payload: object) => {
      const [row] = await application.rows<{ id: string }>(
        `select id from graphile_worker.add_job($1, $2::json, run_at => now() + interval '1 hour')`,
        [name, JSON.stringify(payload)],
      );
      await application.rows(`update graphile_worker._private_jobs set last_error = 'x', attempts = 2 where id = $1`, [row?.id]);
      return row?.id ?? '';
    };
    const corpus = await failed('buildSandboxCorpus', { clientNumber: await numberOfClient(application, slug), generation: 1 });
    const issue = await failed('issueCertificate', { certificateId: certificate.id });
    const endpoint = await webhookEndpoint(application, await numberOfClient(application, slug));
    const [challenge] = await application.rows<{ id: string }>(
      `insert into webhook_challenge (id, endpoint_number, url, requested_at, requested_by) values ('whc_failed', $1, $2, now(), $3) returning id`,
      [endpoint.number, endpoint.url, await idOf(owner)],
    );
    const verify = await failed('verifyWebhookEndpoint', { challengeId: challenge?.id });
    const replay = await failed('replayDeliveries', { replayId: 'whr_failed' });
    const [about, staff, other] = [
      await failed('sendMail', { mailId: mails.about }),
      await failed('sendMail', { mailId: mails.staff }),
      await failed('sendMail', { mailId: mails.other }),
    ];
    const all = [corpus, issue, verify, replay, about, staff, other];
    const found = async (search: string, more: object = {}) =>
      (await admin.must<Connection<Job>>('failedJobs', { filter: { search, ...more }, order: 'oldest' })).edges
        .map(({ node }) => node.id)
        .filter((id) => all.includes(id));
    for (const search of ['QUAY SEV', 'quay-se', integrationId, clientId, commonName, certificate.serial ?? ''])
      expect([search, await found(search)]).toEqual([search, [corpus, issue, verify, about, staff]]);
    for (const search of ['keller@EXAMPLE', await idOf(owner)])
      expect([search, await found(search)]).toEqual([search, [corpus, issue, verify, about, staff, other]]);
    expect(await found(certificate.id)).toEqual([corpus, issue, verify, about, staff]);
    expect([await found(mails.staff), await found(corpus)]).toEqual([[staff], [corpus]]);
    expect([await found('whc_failed'), await found('whr_failed')]).toEqual([[verify], [replay]]);
    expect(await found('quay seven', { state: 'failed' })).toEqual([]);
    expect([await found('keller'), await found('1'), await found('%')]).toEqual([[], [], []]);
    const pages: string[] = [];
    for (let after: string | null = null; ;) {
      const { edges, pageInfo }: Connection<Job> = await admin.must('failedJobs', { filter: { search: 'quay seven' }, first: 1, after });
      pages.push(...edges.map(({ node }) => node.id));
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    expect(pages).toEqual([staff, about, verify, issue, corpus]);
    await application.rows('delete from graphile_worker._private_jobs where id = any ($1::bigint[])', [all]);
    await application.rows('delete from mail where id = any ($1)', [Object.values(mails)]);
  });

  test('one is retried at once with all its attempts, which the trail tells; one that runs is left alone', async () => {
    const [ended] = await jobs();
    const retried = await admin.must<Job>('retryJob', { input: { jobId: ended?.id } });
    expect(retried).toMatchObject({ state: 'retrying', attempts: 0 });
    expect(Date.parse(retried.nextRunAt ?? '')).toBeLessThanOrEqual(Date.now() + 1000);
    expect((await admin.must<Connection<unknown>>('auditTrail', { filter: { action: 'job.retried' } })).edges).toMatchObject([
      { node: { subjectId: ended?.id, details: { name: 'sendMail' } } },
    ]);
    const running = await failing('sendMail failed; the log has the reason', 2, true);
    expect((await jobs())[0]).toMatchObject({ id: running, state: 'running' });
    expect(codesOf(await admin.call('retryJob', { input: { jobId: running } }))).toEqual(['CONFLICT']);
    expect(codesOf(await admin.call('retryJob', { input: { jobId: '999999' } }))).toEqual(['NOT_FOUND']);
  });
});

import { afterAll, beforeAll, expect, jest, test } from '@jest/globals';
import { openDatabaseClients, type DatabaseClients } from '../../../../rest-api/database/databaseClients.ts';
import { admit, type Admission, type AdmissionRequest, releaseLeases } from '../../../../server/domain/client/admission/admit.ts';
import { takeSql } from '../../../../server/domain/client/admission/admit.sql.ts';
import { factsOf, integrationStatuses } from '../../../../server/domain/integration/integrationStatus.ts';
import { environments } from '../../../../server/domain/shared/environment.ts';
import { namesOf } from '../../../../server/domain/shared/lifecycle.ts';
import { classWindows, overridableQuotas } from '../../../../server/domain/client/quotas.ts';
import type { Query } from '../../../../server/domain/shared/query.ts';
import type { Fixtures, TestAuthority, TestCertificate, TestClient } from '../../../support/world/Fixtures.ts';
import { openWorld } from '../../../support/world/openWorld.ts';
import type { World } from '../../../support/world/World.ts';
import { waitForLock } from '../../../support/database/waitForLock.ts';
import { redeemAttempts } from '../../../support/world/sharingFixtures.ts';

let world: World;
let fixtures: Fixtures;
let clients: DatabaseClients;
let authority: TestAuthority;
const now = new Date();

beforeAll(async () => {
  world = await openWorld();
  ({ fixtures } = world);
  clients = openDatabaseClients(world.urls.machineApi, { 'machine-api-admission': 16 });
  authority = await fixtures.authorities();
});
afterAll(async () => {
  await clients.close();
  await world.close();
});

type Subject = { client: TestClient; certificate: TestCertificate };

async function subject(options: Parameters<Fixtures['client']>[0] = {}): Promise<Subject> {
  const client = await fixtures.client(options);
  return { client, certificate: await fixtures.certificate(authority, client) };
}

function requestOf({ client, certificate }: Subject): AdmissionRequest {
  return {
    fingerprintSha256: certificate.fingerprintSha256,
    serial: certificate.serial,
    commonName: client.commonName,
    clientNumber: client.number,
    costClass: 'pull',
    source: '192.0.2.1',
    now,
    finished: [],
  };
}

function ask(mine: Subject, options: Partial<AdmissionRequest> = {}): Promise<Admission> {
  return admit(clients.admission, { ...requestOf(mine), ...options });
}

/** Writes down this many requests in windows that have just begun, and this many leases held. */
async function use(
  { number }: TestClient,
  used: { minute?: number; hour?: number; statistics?: number; redeem?: number; est?: number; leases?: number },
): Promise<void> {
  const { minute = 0, hour = 0, statistics = 0, redeem = 0, est = 0, leases = 0 } = used;
  await fixtures.sql`
    update client_quota set minute_start = ${now}, minute_count = ${minute}, hour_start = ${now}, hour_count = ${hour}, statistics_start = ${now},
           statistics_count = ${statistics}, redeem_start = ${now}, redeem_count = ${redeem},
           est_start = ${now}, est_count = ${est},
           leases = array(select ${later(30_000)}::timestamptz + n * interval '1 microsecond' from generate_series(1, ${leases}::int) n)
     where client_number = ${number}`;
}

/** The leases that the database holds, as `admit` names them. */
async function leasesOf({ number }: TestClient): Promise<string[]> {
  const rows = await fixtures.sql<{ lease: string }[]>`
    select to_char(lease, 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as lease from client_quota, unnest(leases) lease where client_number = ${number}`;
  return rows.map(({ lease }) => lease).toSorted();
}

const ofClient = (clientNumber: number, leases: readonly string[]) => leases.map((lease) => ({ clientNumber, lease }));
const later = (milliseconds: number) => new Date(now.getTime() + milliseconds);
const admitted = (admissions: readonly Admission[]) => admissions.filter((admission) => admission.verdict === 'admitted');

test('whose a certificate is, is looked up by one who does not know', async () => {
  const mine = await subject();
  expect((await ask(mine, { clientNumber: undefined })).client?.number).toBe(mine.client.number);
  const stranger = { clientNumber: undefined, fingerprintSha256: '00' };
  expect(await ask(mine, stranger)).toEqual({ verdict: 'client_certificate_unknown', violated: [] });
});

test('fingerprint, serial, common name and client have to agree', async () => {
  const mine = await subject();
  expect((await ask(mine)).verdict).toBe('admitted');
  for (const wrong of [
    { fingerprintSha256: '00' },
    { serial: '00' },
    { commonName: 'svc:production:x' },
    { commonName: `${mine.client.commonName} ` },
    { clientNumber: (await subject()).client.number },
  ]) {
    expect(await ask(mine, wrong)).toEqual({ verdict: 'client_certificate_unknown', violated: [] });
  }
});

test('retired is told before revoked, revoked before expired', async () => {
  const mine = await subject();
  await fixtures.sql`update certificate set usable_until = ${later(-1)} where id = ${mine.certificate.id}`;
  expect((await ask(mine)).verdict).toBe('client_certificate_expired');
  await fixtures.revokeCertificate(mine.certificate);
  expect((await ask(mine)).verdict).toBe('client_certificate_revoked');
  await fixtures.sql`update integration set status = 'retired' where id = ${mine.client.integrationId}`;
  expect((await ask(mine)).verdict).toBe('integration_retired');
});

test.each([
  ['suspended before used up', { status: 'suspended' }, 'pull', { minute: 20 }, 'integration_suspended'],
  ['not active before used up', { status: 'approved' }, 'pull', { minute: 20 }, 'integration_not_active'],
  ['link-code attempts before the minute', { status: 'active' }, 'redeem', { minute: 20, redeem: 60 }, 'link_code_attempts_exceeded'],
  ['the minute before the leases', { status: 'active' }, 'pull', { minute: 20, leases: 4 }, 'rate_limit_exceeded'],
  ['the hour before the leases', { status: 'active' }, 'pull', { hour: 600, leases: 4 }, 'rate_limit_exceeded'],
  ['statistics before the leases', { status: 'active' }, 'statistics', { statistics: 120, leases: 4 }, 'rate_limit_exceeded'],
  ['the leases last', { status: 'active' }, 'pull', { minute: 19, hour: 599, leases: 4 }, 'concurrency_limit_exceeded'],
  ['another class’s hour not at all', { status: 'active' }, 'pull', { statistics: 120, redeem: 60 }, 'admitted'],
] as const)('of several reasons the first is told: %s', async (_, options, costClass, used, verdict) => {
  const mine = await subject({ environment: 'production', ...options });
  await use(mine.client, used);
  expect((await ask(mine, { costClass })).verdict).toBe(verdict);
});

test('an override counts until the moment at which it ends, and no longer once it is withdrawn', async () => {
  const mine = await subject();
  await use(mine.client, { minute: 30 });
  await fixtures.override(mine.client, 'requests_per_minute', 100, later(1_000));
  expect(await ask(mine, { now: later(999) })).toMatchObject({ verdict: 'admitted', quota: { minute: { limit: 100, left: 69 } } });
  expect(await ask(mine, { now: later(1_000) })).toMatchObject({
    verdict: 'rate_limit_exceeded',
    quota: { minute: { limit: 20, left: 0 } },
  });
  await fixtures.sql`update quota_override set withdrawn_at = ${now} where client_number = ${mine.client.number}`;
  expect((await ask(mine, { now: later(999) })).verdict).toBe('rate_limit_exceeded');
});

test('an override of each quota is that quota’s, and others keep their baseline', async () => {
  const mine = await subject();
  const baselines = (await ask(mine)).client?.quotas;
  for (const [index, quota] of overridableQuotas.entries()) {
    await fixtures.override(mine.client, quota, 100 + index);
    expect((await ask(mine)).client).toMatchObject({
      quotas: { ...baselines, [quota]: 100 + index },
      overrides: [{ quota, value: 100 + index }],
    });
    await fixtures.sql`update quota_override set withdrawn_at = ${now} where client_number = ${mine.client.number}`;
  }
  expect((await ask(mine)).client).toMatchObject({ quotas: baselines, overrides: [] });
});

test.each([
  ['requests_per_hour', 'pull', 'hour', 600],
  ['statistics_requests_per_hour', 'statistics', 'statistics', 120],
  ['link_code_redemptions_per_hour', 'redeem', 'redeem', 60],
  ['est_requests_per_hour', 'est', 'est', 10],
] as const)('an override of %s decides about %s requests', async (quota, costClass, window, baseline) => {
  const mine = await subject();
  await use(mine.client, { [window]: baseline });
  expect((await ask(mine, { costClass })).violated).toEqual([window]);
  await fixtures.override(mine.client, quota, baseline + 1);
  expect((await ask(mine, { costClass })).verdict).toBe('admitted');
  expect((await ask(mine, { costClass })).violated).toEqual([window]);
});

test('two overrides of a client that are set at the same moment both count', async () => {
  const mine = await subject();
  let waiting: Promise<void> | undefined;
  await fixtures.sql.begin(async (tx) => {
    await tx`insert into quota_override (client_number, quota, value, reason, created_at) values (${mine.client.number}, 'requests_per_hour', 700, 'test', ${now})`;
    waiting = fixtures.override(mine.client, 'requests_per_minute', 30);
    // Both of the fixtures' connections are taken, and a transaction sees who waits only once.
    await waitForLock({ rows: async (text) => (await tx`select pg_stat_clear_snapshot()`) && tx.unsafe(text) });
  });
  await waiting;
  expect((await ask(mine)).client?.quotas).toMatchObject({ requests_per_hour: 700, requests_per_minute: 30 });
});

test('an override that is moved to another client or deleted counts for the former one no longer', async () => {
  const [mine, another] = [await subject(), await subject()];
  await fixtures.override(mine.client, 'requests_per_minute', 30);
  await fixtures.sql`update quota_override set client_number = ${another.client.number} where client_number = ${mine.client.number}`;
  expect((await ask(mine)).client?.overrides).toEqual([]);
  expect((await ask(another)).client?.overrides).toEqual([{ quota: 'requests_per_minute', value: 30 }]);
  await fixtures.sql`delete from quota_override where client_number = ${another.client.number}`;
  expect((await ask(another)).client?.overrides).toEqual([]);
});

test('a call that waits while the certificate is revoked is the last one', async () => {
  const mine = await subject();
  let waiting: Promise<Admission> | undefined;
  await fixtures.sql.begin(async (tx) => {
    await tx`select from client_quota where client_number = ${mine.client.number} for update`;
    waiting = ask(mine);
    await waitForLock({ rows: (text) => fixtures.sql.unsafe(text) });
    await fixtures.revokeCertificate(mine.certificate);
    expect((await ask(mine)).verdict).toBe('client_certificate_revoked');
  });
  expect((await waiting)?.verdict).toBe('admitted');
  expect((await ask(mine)).verdict).toBe('client_certificate_revoked');
});

test('a client without a quota row is a fault, never an admission', async () => {
  const mine = await subject();
  await fixtures.sql`delete from client_quota where client_number = ${mine.client.number}`;
  await expect(ask(mine)).rejects.toThrow();
});

test.each(['pull', 'statistics', 'redeem', 'est'] as const)(
  'of 30 parallel %s requests exactly the five are admitted that its hour has left',
  async (costClass) => {
    const mine = await subject();
    for (const quota of ['requests_per_minute', 'concurrent_requests', 'link_code_redemptions_per_ip_per_15_minutes'])
      await fixtures.override(mine.client, quota, 1_000);
    await use(mine.client, { hour: 595, statistics: 115, redeem: 55, est: 5 });
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => ask(mine, { costClass, source: `192.0.2.${mine.client.number % 250}` })),
    );
    expect(admitted(answers)).toHaveLength(5);
  },
);

test('requests of all classes together take exactly what the minute has', async () => {
  const mine = await subject();
  await fixtures.override(mine.client, 'concurrent_requests', 64);
  await fixtures.override(mine.client, 'link_code_redemptions_per_ip_per_15_minutes', 1_000);
  const classes = Array.from({ length: 60 }, (_, index) => (['pull', 'statistics', 'redeem', 'est'] as const)[index % 4]);
  const answers = await Promise.all(classes.map((costClass) => ask(mine, { costClass, source: '198.51.100.11' })));
  expect(admitted(answers)).toHaveLength(20);
  const [row] = await fixtures.sql`
    select minute_count as minute, hour_count + statistics_count + redeem_count + est_count as classes, cardinality(leases) as leases
      from client_quota where client_number = ${mine.client.number}`;
  expect(row).toEqual({ minute: 20, classes: 20, leases: 20 });
});

test('of 50 parallel admissions exactly as many are granted as there are leases', async () => {
  const mine = await subject();
  const granted = admitted(await Promise.all(Array.from({ length: 50 }, () => ask(mine))));
  expect(granted).toHaveLength(4);
  expect(new Set(granted.map((admission) => admission.lease)).size).toBe(4);
});

test('parallel admissions that carry the same finished leases never grant one twice', async () => {
  const mine = await subject();
  await fixtures.override(mine.client, 'requests_per_minute', 100_000);
  await fixtures.override(mine.client, 'requests_per_hour', 100_000);
  let finished: string[] = [];
  for (let round = 0; round < 40; round += 1) {
    const carried = finished;
    const granted = admitted(await Promise.all(Array.from({ length: 12 }, () => ask(mine, { finished: carried }))));
    expect(granted).toHaveLength(4);
    finished = granted.map((admission) => admission.lease ?? '');
    expect(await leasesOf(mine.client)).toEqual(finished.toSorted());
  }
});

test('a lease is free again when it is released, or 36 seconds later by itself', async () => {
  const mine = await subject();
  const leases = admitted(await Promise.all(Array.from({ length: 4 }, () => ask(mine)))).map((admission) => admission.lease ?? '');
  expect((await ask(mine, { now: later(34_000) })).verdict).toBe('concurrency_limit_exceeded');
  await releaseLeases(clients.admission, ofClient(mine.client.number, leases.slice(0, 1)));
  expect((await ask(mine, { now: later(34_000) })).verdict).toBe('admitted');
  expect((await ask(mine, { now: later(34_000) })).verdict).toBe('concurrency_limit_exceeded');
  expect((await ask(mine, { now: later(36_000) })).verdict).toBe('admitted');
});

test('who waits behind requests in progress is told a second, behind those of a process that was killed when the first of them ends', async () => {
  const mine = await subject();
  await Promise.all(Array.from({ length: 3 }, () => ask(mine)));
  expect((await ask(mine, { now: later(1_000) })).verdict).toBe('admitted');
  const refusedAt = async (milliseconds: number) => (await ask(mine, { now: later(milliseconds) })).retryAfterSeconds;
  expect(await refusedAt(1_500)).toBe(1);
  expect(await refusedAt(2_900)).toBe(1);
  // The last one began two seconds before.
  expect(await refusedAt(3_001)).toBe(32);
  expect(await refusedAt(34_900)).toBe(1);
  expect((await ask(mine, { now: later(35_001) })).verdict).toBe('admitted');
});

test('two leases of one millisecond never have one name, released or not', async () => {
  const mine = await subject();
  const random = jest.spyOn(Math, 'random').mockReturnValue(0.5);
  try {
    const first = await ask(mine);
    random.mockReturnValueOnce(0.5).mockReturnValueOnce(0.25);
    const second = await ask(mine);
    // The first lease is given back and carried as well, as happens when the answer to giving it back is lost.
    await releaseLeases(clients.admission, ofClient(mine.client.number, [first.lease ?? '']));
    random.mockReturnValueOnce(0.5).mockReturnValueOnce(0.25).mockReturnValueOnce(0.75);
    const third = await ask(mine, { finished: [first.lease ?? '', second.lease ?? ''] });
    expect([first, second, third].map(({ lease }) => lease?.slice(-4))).toEqual(['500Z', '250Z', '750Z']);
    expect(await leasesOf(mine.client)).toEqual([third.lease]);
  } finally {
    random.mockRestore();
  }
});

test('leases of several clients are released together, each client’s own, by two processes at once', async () => {
  const subjects = await Promise.all(Array.from({ length: 8 }, () => subject()));
  const taken = await Promise.all(
    subjects.flatMap((each) =>
      Array.from({ length: 4 }, async () => ({ clientNumber: each.client.number, lease: (await ask(each)).lease ?? '' })),
    ),
  );
  const byProcess = [taken.filter((_, index) => index % 4 < 2), taken.filter((_, index) => index % 4 === 2).toReversed()];
  await Promise.all(byProcess.map((finished) => releaseLeases(clients.admission, finished)));
  for (const { client } of subjects) {
    const kept = taken.filter((_, index) => index % 4 === 3).find(({ clientNumber }) => clientNumber === client.number);
    expect(await leasesOf(client)).toEqual([kept?.lease]);
  }
});

test('an hour has exactly 600 requests, however they are spread over its minutes', async () => {
  const mine = await subject();
  let count = 0;
  let last: Admission | undefined;
  for (let minute = 0; minute < 60 && last?.violated[0] !== 'hour'; minute += 1) {
    let finished: string[] = [];
    for (;;) {
      last = await ask(mine, { now: later(minute * 60_000), finished });
      if (last.verdict !== 'admitted') break;
      finished = [last.lease ?? ''];
      count += 1;
    }
    await releaseLeases(clients.admission, ofClient(mine.client.number, finished));
  }
  expect(count).toBe(600);
  expect(last).toMatchObject({ verdict: 'rate_limit_exceeded', violated: ['hour'], retryAfterSeconds: 3600 - 30 * 60 });
  expect((await ask(mine, { now: later(3_600_000) })).verdict).toBe('admitted');
}, 60_000);

test('a window that has just begun lasts a whole minute, and each second later a second less, at whatever millisecond', async () => {
  const mine = await subject();
  await fixtures.override(mine.client, 'requests_per_hour', 100_000);
  const resets = new Set<number | undefined>();
  let finished: string[] = [];
  for (let turn = 0; turn < 300; turn += 1) {
    for (const seconds of [0, 7]) {
      const admission = await ask(mine, { now: later(turn * 60_001 + seconds * 1_000), finished });
      finished = [admission.lease ?? ''];
      resets.add((admission.quota?.minute.reset ?? 0) + seconds);
    }
  }
  expect([...resets]).toEqual([60]);
});

test('redemptions are limited to 10 from one source in 15 minutes over all clients, and a refusal takes nothing', async () => {
  const [one, two] = [await subject(), await subject()];
  const source = '198.51.100.7';
  const answers: Admission[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    const admission = await ask(turn % 2 ? one : two, { costClass: 'redeem', source });
    answers.push(admission);
    await releaseLeases(clients.admission, ofClient(admission.client?.number ?? 0, [admission.lease ?? '']));
  }
  expect(admitted(answers)).toHaveLength(10);
  expect(answers[9]?.quota?.source).toEqual({ limit: 10, left: 0, reset: 900 });
  expect(await ask(one, { costClass: 'redeem', source, now: later(60_000) })).toMatchObject({
    verdict: 'link_code_attempts_exceeded',
    violated: ['redeem-source'],
    retryAfterSeconds: 840,
    quota: { minute: { left: 20 }, costClass: { limit: 60, left: 55 } },
  });
  expect((await ask(one, { costClass: 'redeem', source: '198.51.100.8' })).verdict).toBe('admitted');
  expect((await ask(one, { costClass: 'redeem', source, now: later(900_000) })).verdict).toBe('admitted');
});

test('when many clients come from a source that nobody has seen yet, ten are admitted', async () => {
  const subjects = await Promise.all(Array.from({ length: 8 }, () => subject()));
  const source = '198.51.100.12';
  const answers = await Promise.all([...subjects, ...subjects, ...subjects].map((each) => ask(each, { costClass: 'redeem', source })));
  expect(admitted(answers)).toHaveLength(10);
  expect(await fixtures.sql`select count from redeem_source where source = ${source}`).toEqual([{ count: 10 }]);
});

test('when many clients race for the last attempt of one source, one wins and the others have spent nothing', async () => {
  const subjects = await Promise.all(Array.from({ length: 8 }, () => subject()));
  const source = '198.51.100.9';
  await redeemAttempts(world, { source, since: now }, 9);
  let answers: Promise<Admission[]> | undefined;
  await fixtures.sql.begin(async (tx) => {
    await tx`select from redeem_source where source = ${source} for update`;
    answers = Promise.all(subjects.map((each) => ask(each, { costClass: 'redeem', source })));
    // By now, all of them have seen that an attempt is left.
    await waitForLock({ rows: (text) => fixtures.sql.unsafe(text) }, subjects.length);
  });
  const verdicts = (await answers)?.map(({ verdict, violated }) => [verdict, ...violated]);
  expect(verdicts?.filter(([verdict]) => verdict === 'admitted')).toHaveLength(1);
  expect(verdicts?.filter(([, ...violated]) => violated.includes('redeem-source'))).toHaveLength(7);
  const [spent] = await fixtures.sql`
    select sum(minute_count)::int as minute, sum(redeem_count)::int as redeem, sum(cardinality(leases))::int as leases,
           (select count from redeem_source where source = ${source}) as source
      from client_quota where client_number = any(${subjects.map(({ client }) => client.number)})`;
  expect(spent).toEqual({ minute: 1, redeem: 1, leases: 1, source: 10 });
});

test('a refusal writes nothing, whatever its reason', async () => {
  const mine = await subject();
  for (let turn = 0; turn < 4; turn += 1) await ask(mine);
  const version = () => fixtures.sql`select xmin::text, xmax::text from client_quota where client_number = ${mine.client.number}`;
  const before = await version();
  expect((await ask(mine)).verdict).toBe('concurrency_limit_exceeded');
  expect((await ask(mine, { costClass: 'redeem', source: '198.51.100.10' })).verdict).toBe('concurrency_limit_exceeded');
  await fixtures.override(mine.client, 'requests_per_minute', 4);
  expect((await ask(mine)).verdict).toBe('rate_limit_exceeded');
  await fixtures.revokeCertificate(mine.certificate);
  expect((await ask(mine)).verdict).toBe('client_certificate_revoked');
  expect(await version()).toEqual(before);
  expect(await fixtures.sql`select from redeem_source where source = '198.51.100.10'`).toHaveLength(0);
});

test('who always comes too late for a lease that was free is told that all leases are taken', async () => {
  const mine = await subject();
  let asked = 0;
  const late: Query = async <Row>(text: string, parameters: readonly (string | number | null)[]) => {
    asked += 1;
    return text === takeSql.pull ? [] : clients.admission<Row>(text, parameters);
  };
  expect(await admit(late, requestOf(mine))).toMatchObject({ verdict: 'concurrency_limit_exceeded', retryAfterSeconds: 1 });
  expect(asked).toBe(10);
});

test('statistics have an hour of their own; the minute is common to all classes', async () => {
  const mine = await subject();
  const first = await ask(mine, { costClass: 'statistics' });
  expect(first.quota).toMatchObject({ minute: { left: 19 }, costClass: { limit: 120, left: 119 } });
  expect((await ask(mine)).quota).toMatchObject({ minute: { left: 18 }, costClass: { limit: 600, left: 599 } });
});

test('each status is admitted or refused in each environment and class as its facts say', async () => {
  for (const status of integrationStatuses) {
    for (const environment of environments) {
      for (const costClass of namesOf(classWindows)) {
        const { verdict } = await ask(await subject({ environment, status }), { costClass });
        const expected = factsOf(status, environment).refusal ?? 'admitted';
        expect([status, environment, costClass, verdict]).toEqual([status, environment, costClass, expected]);
      }
    }
  }
});

test('a status that only a later release knows is answered by neither environment', async () => {
  await fixtures.sql`alter table integration drop constraint integration_status_check`;
  for (const environment of environments) {
    const mine = await subject({ environment, status: 'active' });
    expect((await ask(mine)).verdict).toBe('admitted');
    await fixtures.sql`update integration set status = 'of_a_later_release' where id = ${mine.client.integrationId}`;
    expect((await ask(mine)).verdict).toBe('integration_not_active');
  }
});

import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { warnOfExpiringCertificates } from '../../server/domain/certificate/warnOfExpiringCertificates.ts';
import { warnOfQuotas } from '../../server/domain/usage/warnOfQuotas.ts';
import { Fixtures, type TestClient } from '../support/world/Fixtures.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';

const hour = 60 * 60 * 1000;
const day = 24 * hour;

let application: PortalWorld;
let fixtures: Fixtures;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  fixtures = new Fixtures(application.databaseUrl);
});
let client: TestClient;
beforeEach(async () => {
  client = await fixtures.client({ environment: 'production', status: 'active' });
});
afterAll(async () => {
  await fixtures.end();
  await application.close();
});

type Told = { subject_id: string; details: Record<string, string | number>; operator_id: string };
const told = (kind: string) =>
  application.rows<Told>(
    'select subject_id, details, operator_id from mail where kind = $1 and operator_id = $2 order by created_at, subject_id',
    [kind, client.operatorId],
  );

const end = new Date('2027-06-01T12:00:00.000Z');
const before = (days: number) => new Date(end.getTime() - days * day);
const checkCertificates = (now: Date) => warnOfExpiringCertificates(application.orm.em.fork(), { now });
const daysTold = async () => (await told('certificate_expiring')).map(({ details }) => Math.round(Number(details['left']) / day));
async function certificate(): Promise<string> {
  return (await fixtures.certificate(application.authority, client, { notBefore: before(90), notAfter: end })).id;
}

test('a certificate is told 30, 14, 7 and 1 days before it stops working, each once, with its name and end', async () => {
  await certificate();
  await checkCertificates(before(30.01));
  expect(await daysTold()).toEqual([]);
  for (const days of [30, 29.9, 20, 14, 13.5, 7, 6.5, 3, 1, 0.5, -1]) {
    await checkCertificates(before(days));
    await checkCertificates(before(days));
  }
  expect(await daysTold()).toEqual([30, 14, 7, 1]);
  expect((await told('certificate_expiring'))[0]?.details).toEqual({
    environment: 'production',
    commonName: client.commonName,
    usableUntil: end.toISOString(),
    left: 30 * day,
  });
});

test('after a time without workers only the nearest threshold is told, in the days that are really left', async () => {
  await certificate();
  await checkCertificates(before(5.2));
  await checkCertificates(before(5));
  expect(await daysTold()).toEqual([5]);
  await checkCertificates(before(0.9));
  expect(await daysTold()).toEqual([5, 1]);
});

test('revoked and expired certificates are not told, and one that is replaced is told by the end of its overlap', async () => {
  const id = await certificate();
  await application.rows("update certificate set status = 'revoked', revoked_at = now() where id = $1", [id]);
  await checkCertificates(before(7));
  expect(await daysTold()).toEqual([]);
  await application.rows("update certificate set status = 'issued', revoked_at = null, usable_until = $2 where id = $1", [id, before(40)]);
  await checkCertificates(before(40 + 14));
  await checkCertificates(before(40 - 1));
  expect(await daysTold()).toEqual([14]);
});

const start = new Date('2027-06-01T12:00:00.000Z');
const later = (milliseconds: number) => new Date(start.getTime() + milliseconds);
const checkQuotas = (now: Date) => warnOfQuotas(application.orm.em.fork(), { now });
const count = (column: 'hour' | 'statistics' | 'redeem' | 'minute', used: number, since = start) =>
  application.rows(`update client_quota set ${column}_start = $2, ${column}_count = $3 where client_number = $1`, [
    client.number,
    since,
    used,
  ]);
const percents = async () => (await told('quota_reached')).map(({ details }) => details['percent']);

test('80 % and 100 % of an hourly quota are told, each once in a window, and again in the next', async () => {
  await count('hour', 479);
  await checkQuotas(later(60_000));
  expect(await percents()).toEqual([]);
  for (const used of [480, 481, 599, 600, 600]) {
    await count('hour', used);
    await checkQuotas(later(used * 1000));
  }
  expect(await percents()).toEqual([80, 100]);
  expect((await told('quota_reached'))[0]).toMatchObject({
    operator_id: client.operatorId,
    details: { environment: 'production', quota: 'requests_per_hour', limit: 600, resetsAt: later(hour).toISOString() },
  });
  await count('hour', 500, later(2 * hour));
  await checkQuotas(later(2 * hour + 60_000));
  expect(await percents()).toEqual([80, 100, 80]);
});

test('a client that goes to the limit at once is told 100 % alone, for each quota of its own', async () => {
  await count('statistics', 120);
  await count('redeem', 48);
  await checkQuotas(later(60_000));
  await count('statistics', 110);
  await checkQuotas(later(120_000));
  expect((await told('quota_reached')).map(({ details }) => [details['quota'], details['percent']]).sort()).toEqual([
    ['link_code_redemptions_per_hour', 80],
    ['statistics_requests_per_hour', 100],
  ]);
});

test('a window that is over and the burst of a minute are not told; an override moves the mark while it lasts', async () => {
  await count('hour', 600);
  await count('minute', 20);
  await checkQuotas(later(hour));
  expect(await percents()).toEqual([]);
  await fixtures.override(client, 'requests_per_hour', 1_200, later(5 * hour));
  await count('hour', 700, later(2 * hour));
  await checkQuotas(later(2 * hour + 1));
  expect(await percents()).toEqual([]);
  await count('hour', 700, later(6 * hour));
  await checkQuotas(later(6 * hour + 1));
  expect((await told('quota_reached')).map(({ details }) => [details['percent'], details['limit']])).toEqual([[100, 600]]);
});

test('the scheduled jobs have their times', async () => {
  const { crontab } = await import('../../workers/crontab.ts');
  expect(crontab).toMatch(/^11 \* \* \* \* warnOfExpiringCertificates\b/m);
  expect(crontab).toMatch(/^\* \* \* \* \* warnOfQuotas\b/m);
});

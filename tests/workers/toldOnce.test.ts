import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { limits } from '../../server/domain/shared/limits.ts';
import { crontab } from '../../workers/crontab.ts';
import { taskList } from '../../workers/taskList.ts';
import { populateStates } from '../support/portals/pageStates.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { TestClock } from '../support/world/TestClock.ts';

const day = 24 * 60 * 60 * 1000;

let application: PortalWorld;
beforeAll(async () => {
  application = await openWorld({ portal: true, clock: new TestClock().stop() });
  await populateStates(application);
});
afterAll(() => application?.close());

/** Jobs that the clock starts and this test does not repeat, with the reason. Every other one is, since any of them may mail. */
const leftOut = {
  enforceDeletionDeadlines: 'it would suspend what fails, which is to last',
  endCertificates: 'it would end what is about to end, which is to last',
  publishCrls: 'it signs lists and mails nobody',
  keepSigningKeys: 'it makes keys and mails nobody',
  removeExpired: 'the test itself runs it, once',
};
const names = crontab.split('\n').map((line) => line.split(' ')[5] ?? '');
const repeated = new Set(names.filter((name) => !Object.hasOwn(leftOut, name)));

/** What the owners are mailed when the clock's jobs run after so long: the kind and subject of each. */
async function toldAfter(milliseconds: number): Promise<readonly string[]> {
  application.clock.advance(milliseconds);
  const since = application.clock.now();
  for (const [name, task] of Object.entries(taskList)) if (repeated.has(name)) await task({} as never, application.workerContext());
  const rows = await application.rows<{ told: string }>(`select kind || ' ' || subject_id as told from mail where created_at >= $1`, [
    since,
  ]);
  return rows.map(({ told }) => told);
}

test('what lasts longer than its mail is kept is not told again when the mail has been removed', async () => {
  const before = [...(await toldAfter(0)), ...(await toldAfter(day)), ...(await toldAfter(9 * day))];
  const kinds = new Set(before.map((told) => told.split(' ')[0]));
  expect([...kinds]).toEqual(expect.arrayContaining(['certificate_expiring', 'webhook_failing', 'webhook_dead_letters']));
  application.clock.advance(limits.mailKept + day);
  // What has called goes on calling.
  await application.rows('update usage_counter set hour = hour + make_interval(days => $1)', [limits.mailKept / day + 11]);
  await taskList.removeExpired({}, application.workerContext());
  expect(await application.rows('select from mail')).toEqual([]);
  expect((await toldAfter(0)).filter((told) => before.includes(told))).toEqual([]);
});

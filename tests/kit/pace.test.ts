import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, expect, jest, test } from '@jest/globals';
import { RateLimited } from '../../kit/src/index.ts';
import { seededRandom } from '../../server/domain/sandbox/generator/seededRandom.ts';
import { kitClient, pairInFiles } from '../support/kit/kitClient.ts';
import type { PaceEvent, PaceSettings } from '../support/kit/paceProcess.ts';
import { SharedTime } from '../support/kit/SharedTime.ts';
import { statusesOf } from '../support/kit/statusesOf.ts';
import { openWorld, type MachineWorld } from '../support/world/openWorld.ts';

const processes = 8;
const minute = 60_000;
/** How long a wait may last beyond what was told, so that not all processes come at the same moment. */
const spread = 2_000;

let world: MachineWorld;
beforeAll(async () => {
  world = await openWorld({ machine: true });
});
afterAll(() => world.close());
afterEach(() => {
  jest.restoreAllMocks();
  world.clock.reset();
});

async function backEndWithOrders() {
  const { client, certificate } = await world.backEnd();
  return { certificate, ids: await world.fixtures.share(client, await world.fixtures.connection(client), 5) };
}

const refusedShare = (statuses: readonly unknown[]): number => statuses.filter((status) => status === 429).length / statuses.length;

test.each([
  ['that never pause', () => 0],
  ['of which seven call about once a minute', (at: number) => (at === 0 ? 0 : minute)],
  ['of which half pause', (at: number) => (at % 2 === 0 ? 0 : minute / 3)],
])('of half an hour’s calls by eight processes %s, less than 2 %% are refused', async (_name, pauseOf) => {
  const { certificate, ids } = await backEndWithOrders();
  world.clock.stop();
  const random = seededRandom('pace');
  jest.spyOn(Math, 'random').mockImplementation(() => random.between(0, 999_999) / 1_000_000);
  const time = new SharedTime(world.clock, processes);
  const now = () => world.clock.now().getTime();
  const end = now() + 30 * minute;
  const waits: number[] = [];
  const clients = await Promise.all(
    Array.from({ length: processes }, () => kitClient(world, certificate, { time: time.of((ms) => waits.push(ms)) })),
  );
  const work = async ({ client }: (typeof clients)[number], at: number) => {
    const pause = pauseOf(at);
    // The first one has used up all by then, and each run goes as the one before.
    await time.wait(at);
    while (now() < end) {
      await client.order(random.pick(ids)).catch(async (error: unknown) => {
        if (!(error instanceof RateLimited)) throw error;
        await time.wait(error.retryAt.getTime() - Date.now());
      });
      if (pause > 0) await time.wait(pause * (0.5 + Math.random()));
    }
    time.leave();
  };
  const statuses = await statusesOf(() => Promise.all(clients.map(work)));
  expect(refusedShare(statuses)).toBeLessThan(0.02);
  // What they leave to each other does not go to waste.
  expect(statuses.length).toBeGreaterThan(30 * 10);
  expect(Math.max(...waits)).toBeLessThanOrEqual(minute + spread);
});

const minutes = Number(process.env['KIT_MINUTES'] ?? 0);

/** What a real process gets and waits for. */
async function run(settings: PaceSettings): Promise<PaceEvent[]> {
  const child = spawn(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', 'tests/support/kit/paceProcess.ts', JSON.stringify(settings)],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  const lines = (await text(child.stdout)).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as PaceEvent);
}

// By hand: KIT_MINUTES=10 npm test -- tests/kit/pace.test.ts -t 'real processes'
(minutes > 0 ? test : test.skip).each([
  ['that never pause', () => 0],
  ['of which half pause', (at: number) => (at % 2 === 0 ? 0 : 20)],
])(
  'eight real processes %s wait as long as they are told, and hardly any call is refused',
  async (name, pauseOf) => {
    const { certificate } = await backEndWithOrders();
    const shared = { ...(await pairInFiles(world, certificate)), baseUrl: `${world.machineApiUrl}/v1`, ca: world.machineApiCa };
    const all = await Promise.all(
      Array.from({ length: processes }, (_, at) => run({ ...shared, seconds: minutes * 60, pauseSeconds: pauseOf(at) })),
    );
    const answers = all.flatMap((events) => events.flatMap((event) => (event.kind === 'answer' ? [event] : [])));
    const waits = all.flatMap((events) => events.flatMap((event) => (event.kind === 'wait' ? [event] : [])));
    const early = all.flatMap((events) => events.filter((event, at) => isTooEarly(event, events.slice(0, at).findLast(isAnswer))));
    const late = all.flatMap((events) => events.filter((event, at) => isTooLong(event, events.slice(0, at).findLast(isAnswer))));
    const refused = answers.filter(({ status }) => status === 429);
    const figures = {
      calls: answers.length,
      byProcess: all.map((events) => events.filter(isAnswer).length),
      refused: refused.length,
      share: refusedShare(answers.map(({ status }) => status)),
      waits: waits.length,
      longestWait: Math.max(...waits.map(({ ms }) => ms)),
      early: early.length,
      late: late.length,
    };
    process.stderr.write(`eight processes ${name}, ${minutes} minutes: ${JSON.stringify(figures)}\n`);
    expect(figures).toMatchObject({ early: 0, late: 0 });
    expect(figures.share).toBeLessThan(0.02);
  },
  // The last round has up to four waits.
  (minutes + 5) * minute,
);

type Answered = Extract<PaceEvent, { kind: 'answer' }>;
const isAnswer = (event: PaceEvent): event is Answered => event.kind === 'answer';

/** A call after a refusal, before Retry-After has passed; half a second is for the clocks. */
function isTooEarly(event: PaceEvent, before: Answered | undefined): boolean {
  return isAnswer(event) && before?.status === 429 && event.at < before.at + before.retryAfter * 1000 - 500;
}

/** A wait beyond what the last answer has said, be it when the minute resets or Retry-After. */
function isTooLong(event: PaceEvent, before: Answered | undefined): boolean {
  if (event.kind !== 'wait' || !before) return false;
  return event.at + event.ms > before.at + Math.max(before.resets, before.retryAfter) * 1000 + spread + 500;
}

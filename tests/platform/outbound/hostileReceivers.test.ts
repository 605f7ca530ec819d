import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createOutbound, type Outbound } from '../../../server/platform/outbound/createOutbound.ts';
import { hostileBehaviours, startHostileReceivers } from '../../support/clients/hostileReceiver.ts';

let hostile: Awaited<ReturnType<typeof startHostileReceivers>>;
let outbound: Outbound;
beforeAll(async () => {
  hostile = await startHostileReceivers();
  outbound = createOutbound({ developmentHosts: hostile.developmentHosts });
});
afterAll(async () => {
  outbound.destroy();
  await hostile.close();
});

/** `HOSTILE_ATTEMPTS=10000` runs the last test at length, with less time for each attempt. */
const attempts = Number(process.env['HOSTILE_ATTEMPTS'] ?? 0);
const short = attempts > 0 ? 600 : 2_000;
const long = attempts > 0 ? short : 60_000;
const sizes = { responseHeaderBytes: 16 * 1024, responseBodyBytes: 64 * 1024 };
/** What ends an attempt otherwise than by its time has time enough, however busy the machine is. */
const limitsOf = (ends: unknown) => ({
  connectMs: ends === 'tls_timeout' ? short : long,
  totalMs: ends === 'timeout' ? short : long,
  ...sizes,
});
const attempt = (behaviour: string, endpointId?: string) =>
  outbound.postGuarded({
    url: hostile.url(behaviour),
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{}'),
    limits: limitsOf(hostileBehaviours[behaviour]?.ends),
    ...(endpointId !== undefined && { endpointId }),
  });
const endOf = ({ error, status }: Awaited<ReturnType<typeof attempt>>) => error ?? status;

test('whatever a receiver does, an attempt ends within its limits, and its kind is recorded', async () => {
  const behaviours = Object.entries(hostileBehaviours);
  const answers = await Promise.all(behaviours.map(([name]) => attempt(name)));
  expect(Object.fromEntries(behaviours.map(([name], place) => [name, endOf(answers[place]!)]))).toEqual(
    Object.fromEntries(behaviours.map(([name, { ends }]) => [name, ends])),
  );
  for (const { body } of answers) expect(body?.length ?? 0).toBeLessThanOrEqual(sizes.responseBodyBytes);
  expect(endOf(await attempt('nobody listens'))).toBe('connection_refused');
});

test('an endpoint whose receiver misbehaves on kept connections gets the same kinds again', async () => {
  for (const name of ['answers twice', 'answers 204 with a body', 'answers 204', 'sends a gzip bomb']) {
    for (let turn = 0; turn < 3; turn += 1)
      expect([name, endOf(await attempt(name, 'kept'))]).toEqual([name, hostileBehaviours[name]?.ends]);
  }
});

(attempts > 0 ? test : test.skip)(
  `memory stays flat over ${attempts} attempts at hostile receivers, and ten times as many refused ones`,
  async () => {
    const everything = [...Object.keys(hostileBehaviours), 'nobody listens'];
    for (const [names, count] of [
      [everything, attempts],
      [['nobody listens'], 10 * attempts],
    ] as const) {
      const memory: number[] = [];
      let done = 0;
      const worker = async (): Promise<void> => {
        while (done < count) {
          const turn = (done += 1);
          await attempt(names[turn % names.length]!, `endpoint ${turn % 300}`);
          if (turn % (count / 20) !== 0) continue;
          globalThis.gc?.();
          memory.push(Math.round(process.memoryUsage().rss / 1024 / 1024));
        }
      };
      await Promise.all(Array.from({ length: 64 }, worker));
      process.stdout.write(`MiB after every ${count / 20} attempts: ${memory.join(' ')}\n`);
      // Until then, the number of kept connections grows to its limit.
      expect(Math.max(...memory.slice(-4))).toBeLessThan(Math.max(...memory.slice(9, 13)) * 1.1);
    }
  },
  900_000,
);

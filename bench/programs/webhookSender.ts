import { generateKeyPairSync } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { Pool } from 'undici';
import { signDelivery } from '../../server/domain/webhook/signing/signDelivery.ts';
import { answerTasks } from './childProcess.ts';

export type SenderTask = {
  readonly milliseconds: number;
  readonly port: number;
  readonly caPem: string;
  readonly hosts: readonly string[];
  /** Bytes of the body. */
  readonly bytes: number;
};

const pools = new Map<string, Pool>();
const connections = 8;
const key = { kid: 'bench', privateKey: generateKeyPairSync('ed25519').privateKey };

/** Signed POSTs from memory, with kept connections and nothing else: what a pump without state would do. Answers posts a second. */
answerTasks(async (message) => {
  const { milliseconds, port, caPem, hosts, bytes } = message as SenderTask;
  const body = Buffer.from(JSON.stringify({ padding: 'x'.repeat(Math.max(0, bytes - 14)) }));
  const began = performance.now();
  let posted = 0;
  const post = (host: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const headers = signDelivery({
        url: `https://${host}/webhooks`,
        body,
        eventId: 'evt_00000000000000000000000000',
        eventTimestamp: '2026-11-22T12:00:00.000Z',
        created: Math.floor(Date.now() / 1_000),
        key,
      });
      poolOf(host, port, caPem).dispatch(
        { path: '/webhooks', method: 'POST', headers: { ...headers, host }, body },
        {
          onRequestStart() {},
          onResponseStart() {},
          onResponseData() {},
          onResponseEnd: () => resolve(),
          onResponseError: (_, error) => reject(error),
        },
      );
    });
  await Promise.all(
    Array.from({ length: Math.max(8, Math.min(512, connections * hosts.length)) }, async (_, index) => {
      const host = hosts[index % hosts.length] ?? '';
      while (performance.now() - began < milliseconds) {
        await post(host);
        posted += 1;
      }
    }),
  );
  return (posted / (performance.now() - began)) * 1_000;
});

function poolOf(host: string, port: number, ca: string): Pool {
  let pool = pools.get(host);
  if (!pool) {
    pool = new Pool(`https://127.0.0.1:${port}`, { connections, pipelining: 1, allowH2: false, connect: { ca, servername: host } });
    pools.set(host, pool);
  }
  return pool;
}

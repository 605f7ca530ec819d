import { generateKeyPairSync } from 'node:crypto';
import { performance } from 'node:perf_hooks';
import { Pool } from 'undici';
import { signDelivery } from '../../server/domain/webhook/signing/signDelivery.ts';
import { webhookLimits } from '../../server/domain/outbox/webhookLimits.ts';
import { createOutbound, type Outbound } from '../../server/platform/outbound/createOutbound.ts';
import { answerTasks } from './childProcess.ts';

export type SenderTask = {
  readonly milliseconds: number;
  readonly port: number;
  readonly caPem: string;
  readonly hosts: readonly string[];
  /** Bytes of the body. */
  readonly bytes: number;
  /** Whether they go the service's guarded way out, or by a plain client. */
  readonly guarded: boolean;
};

const pools = new Map<string, Pool>();
const connections = 8;
let outbound: { readonly hosts: string; readonly transport: Outbound } | undefined;
const key = { kid: 'bench', privateKey: generateKeyPairSync('ed25519').privateKey };

/** Signed POSTs from memory, with kept connections and nothing else: what a pump without state would do. Answers posts a second. */
answerTasks(async (message) => {
  const task = message as SenderTask;
  const { milliseconds, hosts, bytes } = task;
  const body = Buffer.from(JSON.stringify({ padding: 'x'.repeat(Math.max(0, bytes - 14)) }));
  const post = task.guarded ? guardedPost(task) : plainPost(task);
  const began = performance.now();
  let posted = 0;
  await Promise.all(
    Array.from({ length: Math.max(8, Math.min(512, connections * hosts.length)) }, async (_, index) => {
      const host = hosts[index % hosts.length] ?? '';
      while (performance.now() - began < milliseconds) {
        const url = `https://${host}/webhooks`;
        const headers = signDelivery({
          url,
          body,
          eventId: 'evt_00000000000000000000000000',
          eventTimestamp: '2026-11-22T12:00:00.000Z',
          created: Math.floor(Date.now() / 1_000),
          key,
        });
        await post({ host, url, headers, body });
        posted += 1;
      }
    }),
  );
  return (posted / (performance.now() - began)) * 1_000;
});

type Post = (request: {
  readonly host: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}) => Promise<void>;

function plainPost({ port, caPem }: SenderTask): Post {
  return ({ host, headers, body }) =>
    new Promise((resolve, reject) => {
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
}

function guardedPost({ hosts, port, caPem }: SenderTask): Post {
  const names = hosts.join(' ');
  if (outbound?.hosts !== names) {
    outbound?.transport.destroy();
    const address = { address: '127.0.0.1', port };
    outbound = {
      hosts: names,
      transport: createOutbound({ developmentHosts: { hosts: new Map(hosts.map((host) => [host, address])), caPem } }),
    };
  }
  const { transport } = outbound;
  return async ({ host, url, headers, body }) => {
    const { error } = await transport.postGuarded({ url, headers, body, limits: webhookLimits.webhookDelivery, endpointId: host });
    if (error) throw new Error(`A guarded request ended as ${error}.`);
  };
}

function poolOf(host: string, port: number, ca: string): Pool {
  let pool = pools.get(host);
  if (!pool) {
    pool = new Pool(`https://127.0.0.1:${port}`, { connections, pipelining: 1, allowH2: false, connect: { ca, servername: host } });
    pools.set(host, pool);
  }
  return pool;
}

import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { performance } from 'node:perf_hooks';
import { answerTasks } from './childProcess.ts';

export type LoadTask = { identity: { certPem: string; keyPem: string; caPem: string } } & (
  | { kind: 'read'; port: number; path: string; file: string | null }
  | { kind: 'run'; port: number; paths: readonly string[]; bytes: readonly number[]; connections: number; milliseconds: number }
);
/** One answer in full: its digest and where the feed goes on. */
export type ReadAnswer = { digest: string; bytes: number; nextCursor: string; hasMore: boolean };
export type RunAnswer = { requestsPerSecond: number; medianMs: number; requests: number };

const agents = new Map<number, Agent>();

/** Asks the servers, in a process of its own: keep-alive connections over loopback, each with one request at a time. */
answerTasks(async (message) => {
  const task = message as LoadTask;
  const agent =
    agents.get(task.port) ??
    new Agent({ keepAlive: true, maxSockets: 64, cert: task.identity.certPem, key: task.identity.keyPem, ca: task.identity.caPem });
  agents.set(task.port, agent);
  return task.kind === 'read' ? readWhole(agent, task) : run(agent, task);
});

async function readWhole(agent: Agent, { port, path, file }: LoadTask & { kind: 'read' }): Promise<ReadAnswer> {
  const chunks: Buffer[] = [];
  await fetchOnce(agent, port, path, (chunk) => chunks.push(chunk));
  const body = Buffer.concat(chunks);
  if (file !== null) writeFileSync(file, body);
  const { next_cursor: nextCursor, has_more: hasMore } = JSON.parse(body.toString()) as { next_cursor: string; has_more: boolean };
  return { digest: createHash('sha256').update(body).digest('hex'), bytes: body.length, nextCursor, hasMore };
}

async function run(agent: Agent, { port, paths, bytes, connections, milliseconds }: LoadTask & { kind: 'run' }): Promise<RunAnswer> {
  const startedAt = performance.now();
  const until = startedAt + milliseconds;
  const durations: number[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let began = performance.now(); began < until; began = performance.now()) {
        const index = next++ % paths.length;
        let received = 0;
        await fetchOnce(agent, port, paths[index] ?? '', (chunk) => (received += chunk.length));
        if (received !== bytes[index]) throw new Error(`${received} bytes instead of ${bytes[index]}`);
        durations.push(performance.now() - began);
      }
    }),
  );
  const elapsed = performance.now() - startedAt;
  durations.sort((a, b) => a - b);
  return {
    requestsPerSecond: (durations.length / elapsed) * 1000,
    medianMs: durations[durations.length >> 1] ?? 0,
    requests: durations.length,
  };
}

function fetchOnce(agent: Agent, port: number, path: string, onData: (chunk: Buffer) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path, agent, servername: 'localhost' }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`status ${response.statusCode}`));
      response.on('data', onData);
      response.on('end', resolve);
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}

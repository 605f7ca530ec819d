import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { Agent, get } from 'node:https';
import { performance } from 'node:perf_hooks';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { answerTasks } from './childProcess.ts';
import { clientHeader } from './servers.ts';

/** One request by the identity with this index. `bytes` is the size that the answer's body must have, or null if it does not matter. */
export type Target = {
  readonly identity: number;
  readonly path: string;
  readonly status: number;
  readonly bytes: number | null;
  readonly ifNoneMatch?: string;
  readonly acceptEncoding?: 'gzip' | 'zstd';
};

export type LoadTask =
  | { kind: 'identities'; caPem: string; identities: readonly { certPem: string; keyPem: string }[] }
  | { kind: 'read'; port: number; target: Target; file: string | null }
  | { kind: 'run'; ports: readonly number[]; targets: readonly Target[]; connections: number; milliseconds: number };
/** One answer in full: its digest and size, both without its coding, the bytes that were sent, its validator and where the feed continues. */
export type ReadAnswer = { digest: string; bytes: number; sentBytes: number; etag: string; nextCursor: string; hasMore: boolean };
export type RunAnswer = { requestsPerSecond: number; medianMs: number };

let known: { caPem: string; identities: readonly { certPem: string; keyPem: string }[] } = { caPem: '', identities: [] };
const agents = new Map<string, Agent>();

/** Calls the servers from a process of its own: keep-alive connections over loopback, with one request at a time on each. */
answerTasks(async (message) => {
  const task = message as LoadTask;
  if (task.kind === 'identities') return void (known = task);
  return task.kind === 'read' ? readWhole(task) : run(task);
});

const decoders = { gzip: gunzipSync, zstd: zstdDecompressSync };

async function readWhole({ port, target, file }: LoadTask & { kind: 'read' }): Promise<ReadAnswer> {
  const chunks: Buffer[] = [];
  const etag = await fetchOnce(port, target, (chunk) => chunks.push(chunk));
  const sent = Buffer.concat(chunks);
  const body = target.acceptEncoding ? decoders[target.acceptEncoding](sent) : sent;
  if (file !== null) writeFileSync(file, body);
  const page = JSON.parse(body.toString()) as { next_cursor?: string; has_more?: boolean };
  return {
    digest: createHash('sha256').update(body).digest('hex'),
    bytes: body.length,
    sentBytes: sent.length,
    etag,
    nextCursor: page.next_cursor ?? '',
    hasMore: page.has_more ?? false,
  };
}

/** Goes through the targets in turn, and through the servers if there are several, until the time is over. */
async function run({ ports, targets, connections, milliseconds }: LoadTask & { kind: 'run' }): Promise<RunAnswer> {
  const startedAt = performance.now();
  const until = startedAt + milliseconds;
  const durations: number[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      for (let began = performance.now(); began < until; began = performance.now()) {
        const index = next++;
        const target = targets[index % targets.length];
        const port = ports[(index + Math.floor(index / targets.length)) % ports.length];
        if (!target || port === undefined) throw new Error('There is nothing to ask.');
        let received = 0;
        await fetchOnce(port, target, (chunk) => (received += chunk.length));
        if (target.bytes !== null && received !== target.bytes) throw new Error(`${received} bytes instead of ${target.bytes}`);
        durations.push(performance.now() - began);
      }
    }),
  );
  const elapsed = performance.now() - startedAt;
  durations.sort((a, b) => a - b);
  return { requestsPerSecond: (durations.length / elapsed) * 1000, medianMs: durations[durations.length >> 1] ?? 0 };
}

/** Resolves with the answer's ETag when the body is complete. */
function fetchOnce(
  port: number,
  { identity, path, status, ifNoneMatch, acceptEncoding }: Target,
  onData: (chunk: Buffer) => void,
): Promise<string> {
  const headers = {
    [clientHeader]: String(identity),
    ...(ifNoneMatch !== undefined && { 'if-none-match': ifNoneMatch }),
    ...(acceptEncoding !== undefined && { 'accept-encoding': acceptEncoding }),
  };
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path, agent: agentOf(port, identity), servername: 'localhost', headers }, (response) => {
      if (response.statusCode !== status) reject(new Error(`status ${response.statusCode} instead of ${status}`));
      response.on('data', onData);
      response.on('end', () => resolve(response.headers.etag ?? ''));
      response.on('error', reject);
    });
    request.on('error', reject);
  });
}

function agentOf(port: number, identity: number): Agent {
  const key = `${port} ${identity}`;
  const one = known.identities[identity];
  const agent = agents.get(key) ?? new Agent({ keepAlive: true, maxSockets: 64, cert: one?.certPem, key: one?.keyPem, ca: known.caPem });
  agents.set(key, agent);
  return agent;
}

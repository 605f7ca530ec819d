import { Agent as PlainAgent, request as plainRequest, type ClientRequest } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import { portalSchema } from '../../server/portal-api/portalSchema.ts';
import type { Child } from '../programs/childProcess.ts';
import { type MadeUp, openReceiver, presentChain } from './hostileHandshakes.ts';
import { type HostileRequest, strangersMost } from './HostileRequest.ts';
import { hostileRequests } from './hostileRequests.ts';
import type { BenchPortal, HostileTask } from '../programs/hostileServer.ts';
import type { Effort, Result } from '../measure.ts';
import type { World } from '../world.ts';

type Target = { readonly child: Child; readonly send: (request: ReturnType<HostileRequest['make']>) => Promise<number> };

/**
 * Measures the longest time for which one hostile request holds the event loop of a portal or a machine API in a process of its own, as a
 * fraction of its bound. Of several tries the shortest counts, because anything else that the machine does can only make a try longer.
 */
export async function measureHostile(world: World, { rounds }: Effort): Promise<Result[]> {
  const portal = world.start('hostileServer');
  const machine = world.start('hostileServer');
  const facts = await portal.ask<BenchPortal>({ kind: 'portal', server: world.serverTask } satisfies HostileTask);
  const machinePort = await machine.ask<number>({ kind: 'machine', server: world.serverTask } satisfies HostileTask);
  const targets = { portal: portalTarget(portal, facts.port), machine: machineTarget(machine, machinePort, world) };
  const results: Result[] = [];
  const measure = async (target: Target, request: HostileRequest) => {
    const tries: Try[] = [];
    for (let round = 0; round < rounds; round += 1) tries.push(await holdOf(target, request, round));
    results.push(resultOf(request, tries));
  };
  for (const request of hostileRequests(facts, await portalSchema())) await measure(targets[request.to], request);
  for (const chain of madeUp) {
    const words = `chains of ${chain.authorities} (${chain.key})`;
    const present = () => presentChain(machinePort, chain);
    await measure({ child: machine, send: present }, handshake(`machine, stranger: ${words}`));
    const receivers = await Promise.all(Array.from({ length: 8 }, () => openReceiver(chain)));
    const ports = receivers.map(({ port }) => port);
    // Any process of ours calls receivers in the same way.
    const call = () => machine.ask<void>({ kind: 'call', ports } satisfies HostileTask).then(() => 0);
    await measure({ child: machine, send: call }, handshake(`workers: eight receivers’ ${words}`));
    for (const receiver of receivers) receiver.close();
  }
  return results;
}

/** What the bounds of a handshake let through to the keys, and as many as OpenSSL would take. */
const madeUp: readonly MadeUp[] = [
  { authorities: 3, key: 'ownCurve' },
  { authorities: 3, key: 'longExponent' },
  { authorities: 75, key: 'longExponent' },
];

const handshake = (name: string): HostileRequest => ({
  name,
  to: 'machine',
  most: strangersMost,
  make: () => ({ method: 'GET', path: '/v1/capabilities', headers: {} }),
});

type Try = { readonly milliseconds: number; readonly status: number };

/** How long one try held the loop, and the status of its answer (0 if the connection was cut). */
async function holdOf({ child, send }: Target, request: HostileRequest, round: number): Promise<Try> {
  const made = request.make(round);
  await child.ask({ kind: 'reset' } satisfies HostileTask);
  const status = await send(made);
  // What the request has left behind, such as garbage to collect, counts as its own.
  await wait(20);
  return { milliseconds: await child.ask<number>({ kind: 'longest' } satisfies HostileTask), status };
}

function resultOf({ name, most }: HostileRequest, tries: readonly Try[]): Result {
  const held = tries.map(({ milliseconds }) => milliseconds);
  const shortest = Math.min(...held);
  return {
    section: 'hostile',
    name,
    ratio: { median: shortest / most, lowest: shortest / most, highest: Math.max(...held) / most },
    target: { atMost: 1 },
    figures: `${shortest.toFixed(0)} ms of ${most}, answered ${[...new Set(tries.map(({ status }) => status))].join(', ')}`,
  };
}

function portalTarget(child: Child, port: number): Target {
  const agent = new PlainAgent({ keepAlive: false });
  return { child, send: ({ body, ...made }) => answered(plainRequest({ host: '127.0.0.1', port, agent, ...made }), body) };
}

function machineTarget(child: Child, port: number, { identities: [identity], caPem }: World): Target {
  const agent = new TlsAgent({ keepAlive: true, cert: identity?.certPem, key: identity?.keyPem, ca: caPem });
  return {
    child,
    send: ({ body, ...made }) => answered(tlsRequest({ host: '127.0.0.1', port, agent, servername: 'localhost', ...made }), body),
  };
}

function answered(request: ClientRequest, body: Buffer | undefined): Promise<number> {
  return new Promise((resolve) => {
    request.on('response', (response) => {
      response.resume();
      response.on('close', () => resolve(response.statusCode ?? 0));
    });
    // A body that nobody wants to read may be cut off.
    request.on('error', () => resolve(0));
    request.end(body);
  });
}

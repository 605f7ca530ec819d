import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import { startMachineApi } from '../../rest-api/machineApi.ts';
import { readConfig } from '../../server/config/config.ts';
import { createOrm } from '../../server/database/orm.ts';
import { createServiceToken } from '../../server/domain/access/createServiceToken.ts';
import { allServicePermissions } from '../../server/domain/access/servicePermissions.ts';
import { makeChallenge } from '../../server/domain/account/passkey/challenges.ts';
import type { PortalSession } from '../../server/domain/account/session/PortalSession.ts';
import { openSession } from '../../server/domain/account/session/openSession.ts';
import { sessionCookie } from '../../server/domain/account/session/sessionCookie.ts';
import { Client } from '../../server/domain/client/Client.ts';
import { Integration } from '../../server/domain/integration/Integration.ts';
import { roleUrl } from '../../server/database/roles/loginRoles.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { createLogger } from '../../server/platform/logger.ts';
import { createOutbound } from '../../server/platform/outbound/createOutbound.ts';
import { KiB } from '../../server/domain/shared/limits.ts';
import { startPortalProcess } from '../../server/startPortalProcess.ts';
import { answerTasks } from './childProcess.ts';
import { benchKeyRing, type ServerTask } from './servers.ts';
import { newId } from '../../server/domain/shared/ids.ts';
import { developmentContact } from '../../server/domain/shared/supportContact.ts';

export type HostileTask =
  | { kind: 'portal' | 'machine'; server: ServerTask }
  | { kind: 'call'; ports: readonly number[] }
  | { kind: 'reset' }
  | { kind: 'longest' };

/** Where the portal listens, and the credentials of its callers. */
export type BenchPortal = {
  readonly port: number;
  readonly sessionCookie: string;
  /** Of an administrator who has just confirmed. */
  readonly administratorCookie: string;
  readonly browserCookie: string;
  readonly serviceToken: string;
  readonly integrationId: string;
  readonly clientId: string;
  /** One challenge for signing in and one for another passkey. Both are open before each request. */
  readonly challenges: { readonly signIn: string; readonly registration: string };
  /** A passkey of the operator's. */
  readonly passkeyId: string;
};

/**
 * The longest time for which the event loop was held: the processor time of its thread between two turns. Wall-clock time would include
 * what the machine does meanwhile.
 */
const probe = { longest: 0, last: process.threadCpuUsage() };
setInterval(() => {
  const { user, system } = process.threadCpuUsage(probe.last);
  probe.longest = Math.max(probe.longest, (user + system) / 1000);
  probe.last = process.threadCpuUsage();
}, 1);

/** Restores what a request needs and an earlier one may have used up: attempts and challenges. It is set where the portal runs. */
let prepare = async (): Promise<void> => {};

/** Runs the real portal or the real machine API with that probe beside it. */
answerTasks(async (message) => {
  const task = message as HostileTask;
  if (task.kind === 'reset') {
    await prepare();
    return (probe.longest = 0);
  }
  if (task.kind === 'longest') return probe.longest;
  if (task.kind === 'call') return callReceivers(task.ports);
  return task.kind === 'portal' ? startPortal(task.server) : startMachine(task.server);
});

async function startMachine({ databaseUrl, cursorKeyHex, tls }: ServerTask): Promise<number> {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  // So that requests of renewals are read to their end.
  await pool.query('update client set renewal_by_est = true');
  await pool.query("update certificate set not_before = not_before - interval '300 days'");
  await pool.end();
  const { port } = await startMachineApi({
    host: '127.0.0.1',
    port: 0,
    databaseUrl: roleUrl(databaseUrl, 'machine_api'),
    keyRing: benchKeyRing(cursorKeyHex),
    logger: createLogger('machine-api', 'info'),
    clock: systemClock,
    tls,
    portalUrl: 'http://localhost:3000',
    supportContact: developmentContact,
    unauthenticatedRequestsPerMinute: 1_000_000,
  });
  return port;
}

/** Calls the receivers that listen at these ports all at once, as the workers do. */
async function callReceivers(ports: readonly number[]): Promise<void> {
  const hosts = new Map(ports.map((port) => [`${port}.receiver.test`, { address: '127.0.0.1', port }]));
  const outbound = createOutbound({ developmentHosts: { hosts, caPem: '' } });
  const limits = { connectMs: 5_000, totalMs: 15_000, responseHeaderBytes: 16 * KiB, responseBodyBytes: 64 * KiB };
  const call = (host: string) => outbound.postGuarded({ url: `https://${host}/`, headers: {}, body: Buffer.from('{}'), limits });
  await Promise.all([...hosts.keys()].map(call));
  outbound.destroy();
}

async function startPortal({ databaseUrl, cursorKeyHex }: ServerTask): Promise<BenchPortal> {
  const orm = await createOrm(databaseUrl);
  const keyRing = benchKeyRing(cursorKeyHex);
  const dataDir = await mkdtemp(path.join(tmpdir(), 'operator-integration-bench-portal-'));
  process.on('exit', () => void rm(dataDir, { recursive: true, force: true }));
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });
  const { port } = await startPortalProcess({
    config: readConfig('service', { NODE_ENV: 'test', PORTAL_PORT: '0', DATA_DIR: dataDir }),
    database: { url: databaseUrl, orm, pool },
    keyRing,
    clock: systemClock,
    logger: createLogger('portal', 'info'),
    onStop: () => {},
    machineApiUrl: () => 'https://localhost:8443',
  });
  const em = orm.em.fork();
  const now = systemClock.now();
  const integration = await em.findOneOrFail(Integration, { slug: 'bench-0' });
  const client = await em.findOneOrFail(Client, { integrationId: integration.id });
  const visitor = { ip: '127.0.0.1', source: '127.0.0.1', userAgent: 'bench', requestId: 'req_bench' };
  const administratorId = newId('opr');
  await pool.query(
    "insert into operator (id, email, email_key, user_handle, roles, created_at) values ($1, $1, $1, $2, '{administrator}', $3)",
    [administratorId, randomBytes(16), now],
  );
  const signIn = (operatorId: string) => {
    const opened = openSession(em, { kind: 'full', operatorId, email: 'bench@example.com', visitor, now });
    opened.confirmedUntil = new Date(now.getTime() + 3_600_000);
    return opened;
  };
  const [session, administrators] = [signIn(integration.operatorId), signIn(administratorId)];
  await em.flush();
  const passkeyId = Buffer.alloc(16, 7).toString('base64url');
  await pool.query(
    `insert into passkey (id, operator_id, name, public_key, counter, transports, device_type, backed_up, aaguid, created_at)
     values ($1, $2, 'Bench', '\\xa0', 0, '{}', 'singleDevice', false, '', $3)`,
    [passkeyId, integration.operatorId, now],
  );
  const browser = Buffer.alloc(16, 7).toString('base64url');
  // They are good for longer than the bench takes.
  const challengeFor = (purpose: 'sign_in' | 'registration', holder: string) =>
    Buffer.from(makeChallenge(keyRing.session, { purpose, holder }, new Date(now.getTime() + 86_400_000))).toString('base64url');
  const challenges = { signIn: challengeFor('sign_in', browser), registration: challengeFor('registration', session.id) };
  prepare = async () => {
    await pool.query('delete from attempt_window');
    await pool.query('delete from used_challenge');
  };
  const { token } = await createServiceToken(orm.em.fork(), {
    actor: { type: 'system', name: 'bench' },
    input: { name: 'Bench', environment: 'sandbox', permissions: allServicePermissions },
    now,
  });
  const cookieOf = ({ id }: PortalSession) =>
    `__Host-svc_session_${port}=${sessionCookie(keyRing.session, { sessionId: id, generation: 0 })}`;
  return {
    port,
    sessionCookie: cookieOf(session),
    administratorCookie: cookieOf(administrators),
    browserCookie: `__Host-svc_browser_${port}=${browser}`,
    serviceToken: token,
    integrationId: integration.id,
    clientId: client.id,
    challenges,
    passkeyId,
  };
}

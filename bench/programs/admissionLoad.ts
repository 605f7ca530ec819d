import { performance } from 'node:perf_hooks';
import postgres from 'postgres';
import { roleUrl } from '../../server/database/roles/loginRoles.ts';
import { openDatabaseClients } from '../../rest-api/database/databaseClients.ts';
import { admit, releaseLeases } from '../../server/domain/client/admission/admit.ts';
import { FinishedLeases } from '../../server/domain/client/admission/FinishedLeases.ts';
import { answerTasks } from './childProcess.ts';
import type { ClientIdentity } from '../corpus.ts';
import { separateAdmission } from './separateAdmission.ts';

export type AdmissionTask = {
  readonly kind: 'together' | 'separate';
  readonly databaseUrl: string;
  readonly connections: number;
  readonly identities: readonly ClientIdentity['facts'][];
  readonly milliseconds: number;
};

type Admit = (facts: ClientIdentity['facts']) => Promise<void>;

const opened = new Map<string, Admit>();

/** Admits and releases, on this many connections with as many callers, in a process of its own. Resolves with admissions per second. */
answerTasks(async (message) => {
  const task = message as AdmissionTask;
  const key = `${task.kind} ${task.connections}`;
  const admitOnce = opened.get(key) ?? (task.kind === 'together' ? openTogether(task) : openSeparate(task));
  opened.set(key, admitOnce);
  const startedAt = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: task.connections }, async () => {
      while (performance.now() - startedAt < task.milliseconds) {
        const facts = task.identities[done++ % task.identities.length];
        if (facts) await admitOnce(facts);
      }
    }),
  );
  return (done / (performance.now() - startedAt)) * 1000;
});

/** In the same way as the machine API. */
function openTogether({ databaseUrl, connections }: AdmissionTask): Admit {
  const clients = openDatabaseClients(roleUrl(databaseUrl, 'machine_api'), { 'machine-api-admission': connections });
  const leases = new FinishedLeases((finished) => releaseLeases(clients.admission, finished));
  return async (facts) => {
    const finished = leases.carriedBy(facts.fingerprintSha256);
    const clientNumber = leases.clientOf(facts.fingerprintSha256);
    const admission = await admit(clients.admission, {
      ...facts,
      clientNumber,
      costClass: 'pull',
      source: '127.0.0.1',
      now: new Date(),
      finished,
    });
    const { verdict, client, lease } = admission;
    if (verdict !== 'admitted' || !client || lease === undefined) throw new Error(verdict);
    leases.cleared(facts.fingerprintSha256, client.number, finished);
    leases.add(client.number, lease);
  };
}

/** In the same role, so that PostgreSQL checks the same rights and plans with the same settings on both sides. */
function openSeparate({ databaseUrl, connections }: AdmissionTask): Admit {
  const sql = postgres(roleUrl(databaseUrl, 'machine_api'), {
    max: connections,
    fetch_types: false,
    prepare: true,
    connection: { synchronous_commit: 'off', TimeZone: 'UTC' },
  });
  return (facts) => separateAdmission(sql, facts);
}

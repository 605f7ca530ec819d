import type { TaskList } from 'graphile-worker';
import type { JobPayloads } from '../server/domain/shared/jobs.ts';
import { announceGate } from './tasks/announceGate.ts';
import { announceAccountResets } from './tasks/announceAccountResets.ts';
import { announceTerms } from './tasks/announceTerms.ts';
import { buildSandboxCorpus } from './tasks/buildSandboxCorpus.ts';
import { checkPages } from './tasks/checkPages.ts';
import { checkReceiver } from './tasks/checkReceiver.ts';
import { emptySandbox } from './tasks/emptySandbox.ts';
import { endCertificates } from './tasks/endCertificates.ts';
import { enforceDeletionDeadlines } from './tasks/enforceDeletionDeadlines.ts';
import { expireP12s } from './tasks/expireP12s.ts';
import { issueCertificate } from './tasks/issueCertificate.ts';
import { judgeHealth } from './tasks/judgeHealth.ts';
import { keepPartitions } from './tasks/keepPartitions.ts';
import { keepSigningKeys } from './tasks/keepSigningKeys.ts';
import { makeP12 } from './tasks/makeP12.ts';
import { publishCrls } from './tasks/publishCrls.ts';
import { removeExpired } from './tasks/removeExpired.ts';
import { replayDeliveries } from './tasks/replayDeliveries.ts';
import { sendMail } from './tasks/sendMail.ts';
import { signWebhookSample } from './tasks/signWebhookSample.ts';
import { verifyWebhookEndpoint } from './tasks/verifyWebhookEndpoint.ts';
import { warnOfExpiringCertificates } from './tasks/warnOfExpiringCertificates.ts';
import { warnOfQuotas } from './tasks/warnOfQuotas.ts';
import { warnOfWebhooks } from './tasks/warnOfWebhooks.ts';
import type { WorkerTask } from './workerContext.ts';

/** Jobs that are started by the clock instead of by a command. */
export type ScheduledPayloads = {
  announceAccountResets: unknown;
  endCertificates: unknown;
  enforceDeletionDeadlines: unknown;
  expireP12s: unknown;
  judgeHealth: unknown;
  keepPartitions: unknown;
  removeExpired: unknown;
  warnOfExpiringCertificates: unknown;
  warnOfQuotas: unknown;
  warnOfWebhooks: unknown;
};
type Payloads = JobPayloads & ScheduledPayloads;

/** Every job with its handler. A job without a handler does not compile. */
export const taskList: { readonly [Name in keyof Payloads]: WorkerTask<Payloads[Name]> } = {
  announceGate,
  announceAccountResets,
  announceTerms,
  buildSandboxCorpus,
  checkPages,
  checkReceiver,
  emptySandbox,
  endCertificates,
  enforceDeletionDeadlines,
  expireP12s,
  issueCertificate,
  judgeHealth,
  keepPartitions,
  keepSigningKeys,
  makeP12,
  publishCrls,
  removeExpired,
  replayDeliveries,
  sendMail,
  signWebhookSample,
  verifyWebhookEndpoint,
  warnOfExpiringCertificates,
  warnOfQuotas,
  warnOfWebhooks,
};

/**
 * The pool of every job. What waits for a server of the service's own, such as the mail server, belongs in `outbound`; what waits for operators’
 * servers, in `receivers`, or in `receiverChecks` if it asks them many times.
 */
const poolOf: { readonly [Name in keyof Payloads]: PoolOfTasks['name'] } = {
  announceGate: 'own',
  announceAccountResets: 'own',
  announceTerms: 'own',
  buildSandboxCorpus: 'own',
  checkPages: 'receivers',
  checkReceiver: 'receiverChecks',
  emptySandbox: 'own',
  endCertificates: 'own',
  enforceDeletionDeadlines: 'own',
  expireP12s: 'own',
  issueCertificate: 'own',
  judgeHealth: 'own',
  keepPartitions: 'own',
  keepSigningKeys: 'own',
  makeP12: 'own',
  publishCrls: 'own',
  removeExpired: 'own',
  replayDeliveries: 'own',
  sendMail: 'outbound',
  signWebhookSample: 'own',
  verifyWebhookEndpoint: 'receivers',
  warnOfExpiringCertificates: 'own',
  warnOfQuotas: 'own',
  warnOfWebhooks: 'own',
};

type PoolOfTasks = {
  readonly name: 'own' | 'outbound' | 'receivers' | 'receiverChecks';
  /** How many jobs it works on at once. */
  readonly concurrency: number;
  /** Whether the clock starts any of its jobs. */
  readonly schedules: boolean;
};

/**
 * The pools run side by side in every worker process. Tasks that wait for other servers have a pool of their own, so that a server that
 * hangs holds up nothing else.
 */
export const pools: readonly PoolOfTasks[] = [
  { name: 'own', concurrency: 4, schedules: true },
  { name: 'outbound', concurrency: 4, schedules: false },
  // A challenge and a check of pages take 10 s at most, and their owner waits for them. An operator has two challenges at most, and checks of pages
  // take turns by their priority.
  { name: 'receivers', concurrency: 8, schedules: false },
  // A check of a receiver that is slow on purpose takes three minutes. It must hold up no challenge.
  { name: 'receiverChecks', concurrency: 4, schedules: false },
];

/** Those of the tasks that a pool works off. */
export function tasksOf({ name }: PoolOfTasks, tasks: TaskList): TaskList {
  return Object.fromEntries(Object.entries(tasks).filter(([task]) => poolOf[task as keyof Payloads] === name));
}

import { X509Certificate } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../domain/shared/clock.ts';
import { minute } from '../../domain/shared/limits.ts';
import type { Logger } from '../logger.ts';
import type { OnStop } from '../runProcess.ts';
import { readServerPair } from '../tls/serverPair.ts';
import { writeAtomically } from '../writeAtomically.ts';
import { accountKeyIn } from './accountKeyIn.ts';
import { acmePair, type AcmePlan } from './AcmePlan.ts';
import { keepFailures } from './keepFailures.ts';
import { failureFile } from './lastFailure.ts';
import { inFolder, LocalFault } from './LocalFault.ts';
import { obtainCertificate } from './obtainCertificate.ts';
import { renewsAt } from './renewalPolicy.ts';
import { startChallengeServer, type ChallengeServer } from './startChallengeServer.ts';

const looksEvery = minute;
/** An attempt takes seconds. Authorities try a name several times before they give up. */
const attemptTakes = 2 * minute;

type Around = {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly onStop: OnStop;
  readonly stopping: AbortSignal;
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<unknown>;
};

export type Acme = {
  /** Gets a certificate if it is time to. */
  look(): Promise<void>;
};

/**
 * Keeps a certificate for the plan’s names in its folder, from where both servers read it (`keepServerPair`). A start without one gets one
 * first, and throws an Error that says what to do if there is none, or the reason of `stopping`. With one, whatever fails is repeated later while
 * that is shown.
 */
export async function startAcme(plan: AcmePlan, around: Around): Promise<Acme> {
  const { clock, logger, onStop, stopping, wait = (ms, signal) => delay(ms, undefined, { signal }) } = around;
  const failures = await keepFailures(plan, { clock, logger });
  let challenges: ChallengeServer | undefined;
  onStop('ACME', () => challenges?.close(), 'entrance');
  // What could not be written yet. Let’s Encrypt issues it five times in a week and no more.
  let issued: string | undefined;

  const attempt = async (): Promise<void> => {
    const accountKey = await inFolder(accountKeyIn(plan.dir));
    challenges ??= await startChallengeServer(plan).catch((error: unknown) => {
      throw LocalFault.of(error, 'Correct HOST or ACME_HTTP_PORT.');
    });
    const stored = await storedCertificate(plan);
    if (stored && isFor(stored, plan) && clock.now() < renewsAt(stored)) {
      issued = undefined;
      await failures.forget();
      return;
    }
    if (issued === undefined) {
      if (failures.left() > 0) return;
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(attemptTakes)]);
      issued = await obtainCertificate({ plan, accountKey, answers: challenges.answers, signal });
    }
    await inFolder(writeAtomically(acmePair(plan).certFile, issued, 0o600));
    logger.info({ names: [...plan.names.keys()], ends: new X509Certificate(issued).validToDate }, 'acme.issued');
    issued = undefined;
    await failures.forget();
  };
  let running: Promise<void> | undefined;
  const look = () =>
    (running ??= attempt()
      .catch((error: unknown) => (stopping.aborted ? undefined : failures.add(error)))
      .catch((error: unknown) => logger.error({ err: error }, 'acme.failureNotNoted'))
      .finally(() => (running = undefined)));

  const stored = await storedCertificate(plan);
  const left = failures.left();
  if (!stored && failures.last && left > 0) {
    const { words, remedy, notBefore } = failures.last;
    logger.error({ detail: words, remedy, notBefore, orDelete: failureFile(plan) }, 'acme.waits');
    await wait(left, stopping).catch(() => undefined);
  }
  // One that has ended, or is for other names, is of no use either. But what needs no certificate goes on without.
  if (!stored || !isFor(stored, plan) || stored.validToDate <= clock.now()) await look();
  // The next start would not have what was issued.
  while (!stored && issued !== undefined && !stopping.aborted) {
    await wait(looksEvery, stopping).catch(() => undefined);
    await look();
  }
  stopping.throwIfAborted();
  if (!(await storedCertificate(plan))) {
    const { last } = failures;
    throw new Error(last ? `${last.words}. ${last.remedy}` : 'There is no certificate yet.');
  }
  const timer = setInterval(() => void look(), looksEvery).unref();
  onStop('renewals by ACME', async () => {
    clearInterval(timer);
    await running;
  });
  void look();
  return { look };
}

/** What the servers show. */
async function storedCertificate(plan: AcmePlan): Promise<X509Certificate | undefined> {
  return readServerPair(acmePair(plan)).then(
    ({ certPem }) => new X509Certificate(certPem),
    () => undefined,
  );
}

function isFor(certificate: X509Certificate, { names }: AcmePlan): boolean {
  return [...names.keys()].every((name) => certificate.checkHost(name) !== undefined);
}

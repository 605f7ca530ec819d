import { generateKeyPairSync, X509Certificate } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Clock } from '../../domain/shared/clock.ts';
import { minute } from '../../domain/shared/limits.ts';
import type { Logger } from '../logger.ts';
import { acmeFailures } from '../metrics.ts';
import type { OnStop } from '../runProcess.ts';
import { readServerPair } from '../tls/serverPair.ts';
import { writeAtomically } from '../writeAtomically.ts';
import { acmePair, type AcmePlan, makeFolder } from './AcmePlan.ts';
import { AcmeRefusal } from './AcmeRefusal.ts';
import { failureFile, forgetFailure, lastFailure, noteFailure } from './lastFailure.ts';
import { obtainCertificate } from './obtainCertificate.ts';
import { renewsAt, triesAgainAt } from './renewalPolicy.ts';
import { startChallengeServer } from './startChallengeServer.ts';
import { tellFailure } from './tellFailure.ts';

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
 * first, and throws an Error that says what to do if there is none; from then on, whatever fails is repeated later while the former one is shown.
 */
export async function startAcme(plan: AcmePlan, around: Around): Promise<Acme> {
  const { clock, logger, onStop, stopping, wait = (ms, signal) => delay(ms, undefined, { signal }) } = around;
  const accountKey = await accountKeyIn(plan.dir);
  const challenges = await startChallengeServer(plan);
  onStop('ACME', () => challenges.close(), 'entrance');

  let failed = await lastFailure(plan);
  acmeFailures.set(failed?.failures ?? 0);
  const attempt = async (): Promise<void> => {
    const now = clock.now();
    const stored = await storedCertificate(plan);
    if (stored && isFor(stored, plan) && now < renewsAt(stored)) return;
    if (failed && now < failed.notBefore) return;
    try {
      const signal = AbortSignal.any([stopping, AbortSignal.timeout(attemptTakes)]);
      const pem = await obtainCertificate({ plan, accountKey, answers: challenges.answers, signal });
      await writeAtomically(acmePair(plan).certFile, pem, 0o600);
      logger.info({ names: [...plan.names.keys()], ends: new X509Certificate(pem).validToDate }, 'acme.issued');
      failed = undefined;
      acmeFailures.set(0);
      await forgetFailure(plan);
    } catch (error) {
      if (stopping.aborted) return;
      const failures = (failed?.failures ?? 0) + 1;
      const toldToWait = error instanceof AcmeRefusal ? error.reason.toldToWait : undefined;
      failed = { failures, notBefore: triesAgainAt(failures, clock.now(), toldToWait), ...tellFailure(error, plan) };
      acmeFailures.set(failures);
      logger.error({ detail: failed.words, remedy: failed.remedy, failures, notBefore: failed.notBefore }, 'acme.failed');
      await noteFailure(plan, failed);
    }
  };
  let running: Promise<void> | undefined;
  const look = () =>
    (running ??= attempt()
      .catch((error: unknown) => logger.error({ err: error }, 'acme.failureNotNoted'))
      .finally(() => (running = undefined)));

  const stored = await storedCertificate(plan);
  const left = failed ? failed.notBefore.getTime() - clock.now().getTime() : 0;
  if (!stored && failed && left > 0) {
    const { words, remedy, notBefore } = failed;
    logger.error({ detail: words, remedy, notBefore, orDelete: failureFile(plan) }, 'acme.waits');
    await wait(left, stopping).catch(() => undefined);
  }
  // One that has ended, or is for other names, is of no use either. But what needs no certificate goes on without.
  if (!stored || !isFor(stored, plan) || stored.validToDate <= clock.now()) await look();
  if (!(await storedCertificate(plan))) throw new Error(failed ? `${failed.words}. ${failed.remedy}` : 'There is no certificate yet.');
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

/** The key of the account at the authority, made at the first start. */
async function accountKeyIn(dir: string): Promise<string> {
  const file = join(dir, 'account.key');
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    // Otherwise each start would order a certificate that it cannot keep.
    await access(dir, constants.W_OK | constants.X_OK);
    const stored = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error;
    });
    if (stored !== undefined) return stored;
    const made = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    await writeAtomically(file, made, 0o600);
    return made;
  } catch (error) {
    throw new Error(`ACME_DIR: the folder cannot be used (${(error as NodeJS.ErrnoException).code}). ${makeFolder}`, { cause: error });
  }
}

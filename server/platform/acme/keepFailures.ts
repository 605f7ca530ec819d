import type { Clock } from '../../domain/shared/clock.ts';
import type { Logger } from '../logger.ts';
import { acmeFailures } from '../metrics.ts';
import type { AcmePlan } from './AcmePlan.ts';
import { AcmeRefusal } from './AcmeRefusal.ts';
import { forgetFailure, lastFailure, type LastFailure, noteFailure } from './lastFailure.ts';
import { inFolder, LocalFault } from './LocalFault.ts';
import { triesAgainAt } from './renewalPolicy.ts';
import { tellFailure } from './tellFailure.ts';

type Failures = {
  readonly last: LastFailure | undefined;
  /** How long the authority is left alone yet, in milliseconds. */
  left(): number;
  /** Throws what the file system throws if the failure cannot be noted. */
  add(error: unknown): Promise<void>;
  forget(): Promise<void>;
};

/** Counts the attempts that have failed in a row, for the log, the metric, and the file that the next start and the doctor read. */
export async function keepFailures(
  plan: AcmePlan,
  { clock, logger }: { readonly clock: Clock; readonly logger: Logger },
): Promise<Failures> {
  let last = await lastFailure(plan);
  let told: string | undefined;
  acmeFailures.set(last?.failures ?? 0);
  return {
    get last() {
      return last;
    },
    left: () => (last ? Math.max(0, last.notBefore.getTime() - clock.now().getTime()) : 0),
    async add(error) {
      const failure = tellFailure(error, plan);
      const here = error instanceof LocalFault;
      // What is to be mended here is tried each minute, and told once.
      if (here && failure.words === told) return;
      told = failure.words;
      const now = clock.now();
      const toldToWait = error instanceof AcmeRefusal ? error.reason.toldToWait : undefined;
      const failures = (last?.failures ?? 0) + (here && last ? 0 : 1);
      last = { failures, notBefore: here ? (last?.notBefore ?? now) : triesAgainAt(failures, now, toldToWait), ...failure };
      acmeFailures.set(failures);
      logger.error({ detail: last.words, remedy: last.remedy, failures, notBefore: last.notBefore }, 'acme.failed');
      await noteFailure(plan, last);
    },
    async forget() {
      if (!last) return;
      last = undefined;
      told = undefined;
      acmeFailures.set(0);
      await inFolder(forgetFailure(plan));
    },
  };
}

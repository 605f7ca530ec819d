import { performance } from 'node:perf_hooks';
import { limits } from '../../shared/limits.ts';

/** A lease of a client whose request has ended, by its name. */
export type FinishedLease = { readonly clientNumber: number; readonly lease: string };

type Release = (finished: readonly FinishedLease[]) => Promise<void>;

const leftoverDelayMs = 25;
const retryDelayMs = 1_000;
/** Of one client. Each of its admissions carries them. */
const lostLeasesKept = 100;

/**
 * The leases that have ended in this process and are not yet released, by client. The next admission of the client carries them along; a
 * timer releases the rest, those of all clients in one statement. A lease leaves the list only once the database has certainly released
 * it, so none is lost. A lease that cannot be released, because the process dies, expires by itself.
 */
export class FinishedLeases {
  readonly #release: Release;
  /** By client: each lease with the time at which it was added. */
  readonly #leases = new Map<number, Map<string, number>>();
  /** Whose certificate each is, as admission's answers have told. It never changes, and decides nothing. */
  readonly #clientOfFingerprint = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #releasing: Promise<void> | undefined;

  constructor(release: Release) {
    this.#release = release;
  }

  /** Whose certificate it is, if an admission has told. */
  clientOf(fingerprint: string): number | undefined {
    return this.#clientOfFingerprint.get(fingerprint);
  }

  /** The leases to carry along with an admission by this certificate. */
  carriedBy(fingerprint: string): readonly string[] {
    const clientNumber = this.#clientOfFingerprint.get(fingerprint);
    const leases = clientNumber === undefined ? undefined : this.#leases.get(clientNumber);
    return leases ? [...leases.keys()] : [];
  }

  /** An admission, granted or refused, has told whose certificate it is. */
  remember(fingerprint: string, clientNumber: number): void {
    if (this.#clientOfFingerprint.get(fingerprint) === clientNumber) return;
    if (this.#clientOfFingerprint.size >= 10_000) this.#clientOfFingerprint.clear();
    this.#clientOfFingerprint.set(fingerprint, clientNumber);
  }

  /** The admission that carried `leases` was granted: the database has released them. */
  cleared(fingerprint: string, clientNumber: number, leases: readonly string[]): void {
    this.remember(fingerprint, clientNumber);
    this.#drop(leases.map((lease) => ({ clientNumber, lease })));
  }

  /** A request has ended: its lease waits for the next admission, 25 ms at most. */
  add(clientNumber: number, lease: string): void {
    const leases = this.#leases.get(clientNumber) ?? new Map<string, number>();
    this.#leases.set(clientNumber, leases);
    leases.set(lease, performance.now());
    this.#schedule(leftoverDelayMs);
  }

  /**
   * The database may have given this lease to an admission whose answer was lost. If it has not, there is nothing to release. With a
   * certificate that was never admitted here, or after many lost answers, it expires by itself.
   */
  addLost(fingerprint: string, lease: string): void {
    const clientNumber = this.#clientOfFingerprint.get(fingerprint);
    if (clientNumber === undefined || (this.#leases.get(clientNumber)?.size ?? 0) >= lostLeasesKept) return;
    this.add(clientNumber, lease);
    // A statement whose connection has gone may still be waiting for the row. It takes nothing after that time.
    setTimeout(() => this.add(clientNumber, lease), limits.admittedWithin + retryDelayMs).unref();
  }

  /** Releases everything, once; resolves when the database has answered. Never rejects. */
  async flush(): Promise<void> {
    await this.#releasing;
    await this.#releaseAll();
    this.#unschedule();
    this.#leases.clear();
  }

  #releaseAll(): Promise<void> {
    this.#unschedule();
    const finished = [...this.#leases].flatMap(([clientNumber, leases]) => [...leases.keys()].map((lease) => ({ clientNumber, lease })));
    if (finished.length === 0) return Promise.resolve();
    this.#releasing = this.#release(finished).then(
      () => this.#released(finished, leftoverDelayMs),
      // If the database is out of reach, the next admissions carry them, or the next attempt does. After their lifetime, they have expired
      // by themselves.
      () =>
        this.#released(
          finished.filter((each) => this.#hasEnded(each)),
          retryDelayMs,
        ),
    );
    return this.#releasing;
  }

  #released(finished: readonly FinishedLease[], nextInMs: number): void {
    this.#releasing = undefined;
    this.#drop(finished);
    if (this.#leases.size > 0) this.#schedule(nextInMs);
  }

  #hasEnded({ clientNumber, lease }: FinishedLease): boolean {
    const addedAt = this.#leases.get(clientNumber)?.get(lease) ?? 0;
    return performance.now() - addedAt > limits.leaseLifetime;
  }

  #schedule(milliseconds: number): void {
    if (!this.#releasing) this.#timer ??= setTimeout(() => void this.#releaseAll(), milliseconds).unref();
  }

  #unschedule(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #drop(finished: readonly FinishedLease[]): void {
    for (const { clientNumber, lease } of finished) {
      const leases = this.#leases.get(clientNumber);
      leases?.delete(lease);
      if (leases?.size === 0) this.#leases.delete(clientNumber);
    }
    if (this.#leases.size === 0) this.#unschedule();
  }
}

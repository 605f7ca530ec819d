import { performance } from 'node:perf_hooks';
import { limits } from '../../shared/limits.ts';

/** A place of a client that ended: the lease is its name. */
export type FinishedLease = { readonly clientNo: number; readonly lease: string };

type Give = (finished: readonly FinishedLease[]) => Promise<void>;

const leftoverDelayMs = 25;
const retryDelayMs = 1_000;

/**
 * The places that ended in this process and are not yet given back, by client. The next admission of the client carries them along; what
 * no admission took, of all clients together, a timer gives back in one statement. A lease leaves the list only when the database
 * surely has it, so none is lost, and a place that cannot be given back (the process dies) ends by itself.
 */
export class FinishedLeases {
  readonly #give: Give;
  /** By client: each lease with the time at which it was added. */
  readonly #leases = new Map<number, Map<string, number>>();
  /** Which client a certificate stood for last time: admission learns the client only from its own answer. */
  readonly #clientOfFingerprint = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;
  #giving: Promise<void> | undefined;

  constructor(give: Give) {
    this.#give = give;
  }

  /** What to carry along with an admission by this certificate. */
  carriedBy(fingerprint: string): readonly string[] {
    const clientNo = this.#clientOfFingerprint.get(fingerprint);
    const leases = clientNo === undefined ? undefined : this.#leases.get(clientNo);
    return leases ? [...leases.keys()] : [];
  }

  /** The admission that carried `leases` was granted: the database has given them back. */
  cleared(fingerprint: string, clientNo: number, leases: readonly string[]): void {
    if (this.#clientOfFingerprint.get(fingerprint) !== clientNo) this.#remember(fingerprint, clientNo);
    this.#drop(leases.map((lease) => ({ clientNo, lease })));
  }

  /** A request ended: its place waits for the next admission, 25 ms at most. */
  add(clientNo: number, lease: string): void {
    const leases = this.#leases.get(clientNo) ?? new Map<string, number>();
    this.#leases.set(clientNo, leases);
    leases.set(lease, performance.now());
    this.#schedule(leftoverDelayMs);
  }

  /** Gives everything back, once; resolves when the database has answered. Never rejects. */
  async flush(): Promise<void> {
    await this.#giving;
    await this.#giveBack();
    this.#unschedule();
    this.#leases.clear();
  }

  #giveBack(): Promise<void> {
    this.#unschedule();
    const finished = [...this.#leases].flatMap(([clientNo, leases]) => [...leases.keys()].map((lease) => ({ clientNo, lease })));
    if (finished.length === 0) return Promise.resolve();
    this.#giving = this.#give(finished).then(
      () => this.#gaveBack(finished, leftoverDelayMs),
      // Out of reach: the next admissions carry them, or the next attempt; after their lifetime they have ended by themselves.
      () =>
        this.#gaveBack(
          finished.filter((each) => this.#hasEnded(each)),
          retryDelayMs,
        ),
    );
    return this.#giving;
  }

  #gaveBack(finished: readonly FinishedLease[], nextInMs: number): void {
    this.#giving = undefined;
    this.#drop(finished);
    if (this.#leases.size > 0) this.#schedule(nextInMs);
  }

  #hasEnded({ clientNo, lease }: FinishedLease): boolean {
    const addedAt = this.#leases.get(clientNo)?.get(lease) ?? 0;
    return performance.now() - addedAt > limits.leaseLifetime;
  }

  #schedule(milliseconds: number): void {
    if (!this.#giving) this.#timer ??= setTimeout(() => void this.#giveBack(), milliseconds).unref();
  }

  #unschedule(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #drop(finished: readonly FinishedLease[]): void {
    for (const { clientNo, lease } of finished) {
      const leases = this.#leases.get(clientNo);
      leases?.delete(lease);
      if (leases?.size === 0) this.#leases.delete(clientNo);
    }
    if (this.#leases.size === 0) this.#unschedule();
  }

  #remember(fingerprint: string, clientNo: number): void {
    if (this.#clientOfFingerprint.size >= 10_000) this.#clientOfFingerprint.clear();
    this.#clientOfFingerprint.set(fingerprint, clientNo);
  }
}

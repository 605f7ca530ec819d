import { performance } from 'node:perf_hooks';
import { limits } from '../../shared/limits.ts';

type Give = (clientNo: number, leases: readonly string[]) => Promise<void>;
/** `since`: when the last of them was added. */
type Entry = { readonly leases: Set<string>; timer: NodeJS.Timeout | undefined; since: number };

const leftoverDelayMs = 25;
const retryDelayMs = 1_000;

/**
 * The places that ended in this process and are not yet given back, by client. The next admission of the client carries them along;
 * a timer gives back what no admission took. A lease leaves the list only when the database surely has it, so none is lost, and a
 * place that cannot be given back (the process dies) ends by itself.
 */
export class FinishedLeases {
  readonly #give: Give;
  readonly #entries = new Map<number, Entry>();
  /** Which client a certificate stood for last time: admission learns the client only from its own answer. */
  readonly #clientOfFingerprint = new Map<string, number>();
  readonly #running = new Set<Promise<void>>();

  constructor(give: Give) {
    this.#give = give;
  }

  /** What to carry along with an admission by this certificate. */
  carriedBy(fingerprint: string): readonly string[] {
    const clientNo = this.#clientOfFingerprint.get(fingerprint);
    const entry = clientNo === undefined ? undefined : this.#entries.get(clientNo);
    return entry ? [...entry.leases] : [];
  }

  /** The admission that carried `leases` was granted: the database has given them back. */
  cleared(fingerprint: string, clientNo: number, leases: readonly string[]): void {
    if (this.#clientOfFingerprint.get(fingerprint) !== clientNo) this.#remember(fingerprint, clientNo);
    const entry = this.#entries.get(clientNo);
    if (entry) this.#drop(clientNo, entry, leases);
  }

  /** A request ended: its place waits for the next admission, 25 ms at most. */
  add(clientNo: number, lease: string): void {
    const entry = this.#entries.get(clientNo) ?? { leases: new Set<string>(), timer: undefined, since: 0 };
    this.#entries.set(clientNo, entry);
    entry.leases.add(lease);
    entry.since = performance.now();
    entry.timer ??= this.#after(leftoverDelayMs, clientNo, entry);
  }

  /** Gives everything back, once; resolves when the database has answered. Never rejects. */
  async flush(): Promise<void> {
    for (const [clientNo, entry] of this.#entries) this.#giveBack(clientNo, entry);
    await Promise.all(this.#running);
    for (const [clientNo, entry] of this.#entries) this.#forget(clientNo, entry);
  }

  #giveBack(clientNo: number, entry: Entry): void {
    clearTimeout(entry.timer);
    entry.timer = undefined;
    const leases = [...entry.leases];
    if (leases.length === 0) return this.#forget(clientNo, entry);
    const work = this.#give(clientNo, leases)
      .then(
        () => this.#drop(clientNo, entry, leases),
        // Out of reach: the next admission carries them, or the next attempt; after their lifetime they have ended by themselves.
        () => {
          if (performance.now() - entry.since > limits.leaseLifetime) this.#drop(clientNo, entry, leases);
          else entry.timer ??= this.#after(retryDelayMs, clientNo, entry);
        },
      )
      .finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  #after(milliseconds: number, clientNo: number, entry: Entry): NodeJS.Timeout {
    return setTimeout(() => this.#giveBack(clientNo, entry), milliseconds).unref();
  }

  #drop(clientNo: number, entry: Entry, leases: readonly string[]): void {
    for (const lease of leases) entry.leases.delete(lease);
    if (entry.leases.size === 0) this.#forget(clientNo, entry);
  }

  #forget(clientNo: number, entry: Entry): void {
    clearTimeout(entry.timer);
    entry.timer = undefined;
    if (this.#entries.get(clientNo) === entry) this.#entries.delete(clientNo);
  }

  #remember(fingerprint: string, clientNo: number): void {
    if (this.#clientOfFingerprint.size >= 10_000) this.#clientOfFingerprint.clear();
    this.#clientOfFingerprint.set(fingerprint, clientNo);
  }
}

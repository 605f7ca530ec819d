import { RateLimited } from './errors.ts';
import { abortable, type Time } from './time.ts';

/** A window of a quota, as the newest answer has shown it. */
type Window = {
  /** What is left, less what has been sent since. */
  left: number;
  resetsAt: number;
  /** When it was shown. */
  shownAt: number;
  /** How much of it other processes take in a millisecond. */
  othersRate: number;
};

export type Limit = 'minute' | 'hour' | 'statistics' | 'redeem' | 'redeem-source' | 'est';

/**
 * Lets calls through while the quotas last, and has the others wait before the service would refuse them. What it knows are the `RateLimit`
 * headers of the answers, from which it also sees how much other processes of the same client take.
 */
export class Gate {
  /** How many calls may be under way at once; capabilities says. */
  places = 4;
  readonly #time: Time;
  readonly #windows = new Map<string, Window>();
  readonly #leaving: (() => void)[] = [];
  #underWay = 0;
  /** How long the last call took. */
  #latency = 0;

  constructor(time: Time) {
    this.#time = time;
  }

  /** Resolves when a call may begin. Throws RateLimited if that is after `until`. */
  async enter(limits: readonly Limit[], until: number, signal?: AbortSignal): Promise<(headers?: string) => void> {
    for (;;) {
      signal?.throwIfAborted();
      const now = this.#time.now();
      const opensAt = Math.max(0, ...limits.map((limit) => this.#opensAt(limit, now)));
      if (opensAt <= now && this.#underWay < this.places) break;
      if (this.#underWay > 0) await abortable(new Promise<void>((resolve) => this.#leaving.push(resolve)), signal);
      else if (opensAt > until) throw new RateLimited(new Date(Date.now() + opensAt - now));
      else await this.#time.wait(opensAt - now, signal);
    }
    const beganAt = this.#time.now();
    this.#underWay += 1;
    for (const limit of limits) this.#take(limit);
    return (headers) => {
      this.#underWay -= 1;
      this.#latency = this.#time.now() - beganAt;
      if (headers !== undefined) this.#learn(headers);
      for (const left of this.#leaving.splice(0)) left();
    };
  }

  #take(limit: Limit): void {
    const window = this.#windows.get(limit);
    if (window) window.left -= 1;
  }

  /** When a call would not be refused; that of an open window lies in the past. */
  #opensAt(limit: Limit, now: number): number {
    const window = this.#windows.get(limit);
    if (!window || now >= window.resetsAt) {
      this.#windows.delete(limit);
      return 0;
    }
    // Until the call arrives, others go on as they did.
    const taken = window.othersRate * (now - window.shownAt + this.#latency);
    return window.left - taken >= 1 ? 0 : window.resetsAt;
  }

  #learn(headers: string): void {
    const now = this.#time.now();
    for (const [, name = '', left, reset] of headers.matchAll(/"([a-z-]+)";r=(\d+);t=(\d+)/g)) {
      const known = this.#windows.get(name);
      const resetsAt = now + Number(reset) * 1000;
      const same = known && Math.abs(known.resetsAt - resetsAt) < 2_000;
      const others = same ? Math.max(0, known.left - Number(left)) / Math.max(50, now - known.shownAt) : (known?.othersRate ?? 0);
      this.#windows.set(name, { left: Number(left) - this.#underWay, resetsAt, shownAt: now, othersRate: others });
    }
  }
}

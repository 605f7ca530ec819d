import { RateLimited } from './errors.ts';
import { abortable, type Time } from './time.ts';
import type { Answer } from './calls.ts';

/** A window of a quota, as the newest answer has shown it. */
type Window = {
  /** What is left, less what this process has sent since. */
  left: number;
  readonly resetsAt: number;
  /** When the next call of this window may come, and when the first of the next one may. */
  readonly nextAt: number;
  readonly opensAt: number;
  /** How much this process has used, how much had been used before it came, how much others have, and how much of the window before. */
  readonly own: number;
  readonly before: number;
  readonly others: number;
  readonly othersBefore: number;
};

export type Limit = 'minute' | 'hour' | 'statistics' | 'redeem' | 'redeem-source' | 'est';

/** How long after it has opened a window’s first call comes at most. */
const spreadMs = 2_000;

/**
 * Lets calls through while the quotas last, and has the others wait before the service would refuse them. A process that is alone uses all of
 * a quota as fast as it likes. Processes that share one know of each other because what is left falls faster than by their own calls, and keep
 * out of each other’s way by these rules:
 * - As much is left to the others as they took of this window or the one before, since each of them may be about to call.
 * - Where others call, calls go one at a time. The first one of a window goes alone, because only its answer tells what is left, and at a
 *   random moment, because others may have waited for the same one.
 * - The first half of a minute’s quota is there at once. The second is spread over what is left of the minute, so that who comes late still
 *   finds some; after a minute that was shared, all of it is.
 */
export class Gate {
  /** How many calls may be under way at once; capabilities says. */
  places = 4;
  readonly #time: Time;
  readonly #windows = new Map<string, Window>();
  readonly #leaving: (() => void)[] = [];
  #underWay = 0;

  constructor(time: Time) {
    this.#time = time;
  }

  /** Resolves when a call may begin, with what is to be called at its end. Throws RateLimited if it may begin only after `until`. */
  async enter(limits: readonly Limit[], until: number, signal?: AbortSignal): Promise<(answer?: Answer) => void> {
    for (;;) {
      signal?.throwIfAborted();
      const now = this.#time.now();
      const opensAt = Math.ceil(Math.max(0, ...limits.map((limit) => this.#opensAt(limit, now))));
      const alone = this.#othersOf('minute') > 0 || limits.some((limit) => now >= (this.#windows.get(limit)?.opensAt ?? Infinity));
      if (opensAt <= now && this.#underWay < (alone ? 1 : this.places)) break;
      if (this.#underWay > 0) await abortable(new Promise<void>((resolve) => this.#leaving.push(resolve)), signal);
      else if (opensAt > until) throw new RateLimited(new Date(Date.now() + opensAt - now));
      else await this.#time.wait(opensAt - now, signal);
    }
    this.#underWay += 1;
    for (const window of limits.flatMap((limit) => this.#windows.get(limit) ?? [])) window.left -= 1;
    return (answer) => {
      this.#underWay -= 1;
      if (answer) this.#learn(answer);
      for (const left of this.#leaving.splice(0)) left();
    };
  }

  /** When a call would not be refused; that of an open window lies in the past. */
  #opensAt(limit: Limit, now: number): number {
    const window = this.#windows.get(limit);
    if (!window || now >= window.opensAt) return 0;
    // Of a longer window, no more is left to them than they take in a minute.
    const reserve = Math.min(this.#othersOf(limit), this.#othersOf('minute'));
    return window.left > reserve ? window.nextAt : window.opensAt;
  }

  #othersOf(limit: Limit): number {
    const { others, othersBefore } = this.#windows.get(limit) ?? { others: 0, othersBefore: 0 };
    return Math.max(others, othersBefore);
  }

  #learn({ status, headers }: Answer): void {
    const now = this.#time.now();
    const counted = status === 429 ? 0 : 1;
    for (const [, name = '', r, t] of String(headers.ratelimit).matchAll(/"([a-z-]+)";r=(\d+);t=(\d+)/g)) {
      const [left, resetsAt] = [Number(r), now + Number(t) * 1000];
      const [, quota = left] = new RegExp(`"${name}";q=(\\d+)`).exec(String(headers['ratelimit-policy'])) ?? [];
      const used = Number(quota) - left;
      const known = this.#windows.get(name);
      const same = known && Math.abs(known.resetsAt - resetsAt) < 2_000 ? known : undefined;
      const own = (same?.own ?? 0) + counted;
      // What was used before this process came may be of commands that have ended, until a refusal or its fall says that others call as well.
      const before = same ? same.before : known ? 0 : used - counted;
      const foreign = used - own - this.#underWay;
      const others = Math.max(same?.others ?? 0, foreign > (counted ? before : 0) ? foreign : 0);
      const othersBefore = same ? same.othersBefore : (known?.others ?? 0);
      const spread = name === 'minute' && (othersBefore > 0 || (others > 0 && used > left));
      const nextAt = spread ? Math.min(resetsAt, now + ((resetsAt - now) / Math.max(1, left)) * (0.5 + Math.random())) : now;
      const opensAt = resetsAt + Math.random() * spreadMs;
      this.#windows.set(name, { left: left - this.#underWay, resetsAt, nextAt, opensAt, own, before, others, othersBefore });
    }
  }
}

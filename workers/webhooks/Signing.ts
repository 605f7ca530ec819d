import type { Logger } from '../../server/platform/logger.ts';

/** While nothing can be signed, the key is asked for so often at most. */
const askedEvery = 1_000;
/** After so long, another process should deliver. */
const givenUpAfter = 10_000;

type SigningParts = {
  readonly signingKey: () => Promise<unknown>;
  readonly logger: Logger;
  /** Milliseconds that pass whatever the clock says. */
  readonly elapsed?: () => number;
};

/** Whether this process can sign deliveries: one that cannot must not read any, and does not lead. */
export class Signing {
  readonly #parts: SigningParts;
  readonly #elapsed: () => number;
  #lost: { readonly since: number; asked: number; reason: unknown } | undefined;

  constructor(parts: SigningParts) {
    this.#parts = parts;
    this.#elapsed = parts.elapsed ?? (() => performance.now());
  }

  /** Resolves with whether there is a key at this moment. Rejects with the reason once there has been none for ten seconds. */
  async ready(): Promise<boolean> {
    if (this.#lost && this.#elapsed() - this.#lost.asked < askedEvery) return this.#notReady(this.#lost);
    try {
      await this.#parts.signingKey();
      this.#lost = undefined;
      return true;
    } catch (reason) {
      const now = this.#elapsed();
      this.#lost = { since: this.#lost?.since ?? now, asked: now, reason };
      this.#parts.logger.warn({ err: reason }, 'webhooks.cannotSign');
      return this.#notReady(this.#lost);
    }
  }

  #notReady({ since, reason }: { readonly since: number; readonly reason: unknown }): false {
    if (this.#elapsed() - since >= givenUpAfter) throw new Error('No delivery can be signed.', { cause: reason });
    return false;
  }
}

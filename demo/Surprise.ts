/** What an unexpected answer said about itself. */
export type SurpriseFacts = { readonly status?: number; readonly code?: string; readonly requestId?: string };

/**
 * Anything that the demo did not expect. The message says what it was, and the facts say where to look in the logs. It never contains a
 * secret.
 */
export class Surprise extends Error {
  override readonly name = 'Surprise';
  readonly facts: SurpriseFacts;

  constructor(message: string, facts: SurpriseFacts = {}) {
    super(message);
    this.facts = facts;
  }
}

/** Throws a Surprise with `message` unless the condition holds. */
export function expectThat(condition: boolean, message: string, facts?: SurpriseFacts): asserts condition {
  if (!condition) throw new Surprise(message, facts);
}

/** What an answer told about itself when it was not the expected one. */
export type SurpriseFacts = { readonly status?: number; readonly code?: string; readonly requestId?: string };

/** Anything that the demo did not expect: the message says what, the facts say where to look in the logs. Never holds a secret. */
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

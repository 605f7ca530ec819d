import type { StatusWord } from '../shared/text/statusWord.ts';

type EndpointFacts = StatusWord & {
  /** Whether deliveries go to it: `notYet` before its present URL is proven, `notNow` during a pause, `never` again once its owner has it no longer. */
  readonly receives: 'yes' | 'notYet' | 'notNow' | 'never' | 'unknown';
};

/** What each status of a webhook endpoint means (docs/specification.md, “Webhook endpoints”). */
export const webhookEndpointFacts = {
  registered: { tone: 'waiting', word: 'Not proven', receives: 'notYet' },
  active: { tone: 'good', word: 'Active', receives: 'yes' },
  paused: { tone: 'stopped', word: 'Paused', receives: 'notNow' },
  removed: { tone: 'stopped', word: 'Removed', receives: 'never' },
  unknown: { tone: 'neutral', word: 'Unknown', receives: 'unknown' },
} as const satisfies Readonly<Record<string, EndpointFacts>>;

import type { webhookLimits } from './webhookLimits.ts';

export const eventSubjects = ['revocation', 'connection', 'resource', 'generation', 'integration'] as const;
export type EventSubject = (typeof eventSubjects)[number];

type EventTypeFacts = {
  /** The limit that says for how long after it occurred its deliveries are tried. */
  readonly lifetime: keyof Pick<typeof webhookLimits, 'eventLifetime' | 'updateEventLifetime'>;
  /**
   * What it tells of. Its deliveries are discarded once that is of no use any more: a connection or a revocation has gone with its sandbox, the
   * client may not read the resource, which a full payload encloses, or a newer generation has followed.
   */
  readonly about: EventSubject;
  /** The types of resource to which it refers. */
  readonly resourceTypes: readonly ('order' | 'vehicle')[];
  /** Whether only its endpoint can hold it: it tells of the end of access, or of what holds the others. */
  readonly isNeverHeld: boolean;
  /** What shows the same to a back end without a webhook: nothing is told by webhooks alone. */
  readonly pulledBy: 'sync' | 'statistics' | 'refusals';
};

/** What each type of event means (docs/specification.md, “Events”). */
export const eventTypeFacts = {
  'connection.created': { lifetime: 'eventLifetime', about: 'connection', resourceTypes: [], isNeverHeld: false, pulledBy: 'sync' },
  'resource.granted': {
    lifetime: 'eventLifetime',
    about: 'resource',
    resourceTypes: ['order', 'vehicle'],
    isNeverHeld: false,
    pulledBy: 'sync',
  },
  'resource.updated': {
    lifetime: 'updateEventLifetime',
    about: 'resource',
    resourceTypes: ['order', 'vehicle'],
    isNeverHeld: false,
    pulledBy: 'sync',
  },
  'resource.revoked': {
    lifetime: 'eventLifetime',
    about: 'revocation',
    resourceTypes: ['order', 'vehicle'],
    isNeverHeld: true,
    pulledBy: 'sync',
  },
  'connection.revoked': { lifetime: 'eventLifetime', about: 'revocation', resourceTypes: [], isNeverHeld: true, pulledBy: 'sync' },
  'statistics.updated': { lifetime: 'eventLifetime', about: 'generation', resourceTypes: [], isNeverHeld: false, pulledBy: 'statistics' },
  'integration.suspended': { lifetime: 'eventLifetime', about: 'integration', resourceTypes: [], isNeverHeld: true, pulledBy: 'refusals' },
} as const satisfies Readonly<Record<string, EventTypeFacts>>;

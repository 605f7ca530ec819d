import type { webhookLimits } from './webhookLimits.ts';

type EventTypeFacts = {
  /** The limit that says for how long after it occurred its deliveries are tried. */
  readonly lifetime: keyof Pick<typeof webhookLimits, 'eventLifetime' | 'updateEventLifetime'>;
  /**
   * Whether it tells what a resource is: a full payload encloses the resource, and deliveries are discarded once the client may not read it any
   * more.
   */
  readonly showsResource: boolean;
  /** Whether it goes out even while its integration is suspended or its production gate is closed: it tells of the end of access, or of the suspension itself. */
  readonly isNeverHeld: boolean;
};

/** What each type of event means (docs/specification.md, “Events”). */
export const eventTypeFacts = {
  'connection.created': { lifetime: 'eventLifetime', showsResource: false, isNeverHeld: false },
  'resource.granted': { lifetime: 'eventLifetime', showsResource: true, isNeverHeld: false },
  'resource.updated': { lifetime: 'updateEventLifetime', showsResource: true, isNeverHeld: false },
  'resource.revoked': { lifetime: 'eventLifetime', showsResource: false, isNeverHeld: true },
  'connection.revoked': { lifetime: 'eventLifetime', showsResource: false, isNeverHeld: true },
  'statistics.updated': { lifetime: 'eventLifetime', showsResource: false, isNeverHeld: false },
  'integration.suspended': { lifetime: 'eventLifetime', showsResource: false, isNeverHeld: true },
} as const satisfies Readonly<Record<string, EventTypeFacts>>;

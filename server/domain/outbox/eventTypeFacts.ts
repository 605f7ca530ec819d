type EventTypeFacts = {
  /** Whether it goes out even while its integration is suspended or its production gate is closed: it tells of the end of access, or of the suspension itself. */
  readonly isNeverHeld: boolean;
};

/** What each type of event means (docs/specification.md, “Events”). */
export const eventTypeFacts = {
  'connection.created': { isNeverHeld: false },
  'resource.granted': { isNeverHeld: false },
  'resource.updated': { isNeverHeld: false },
  'resource.revoked': { isNeverHeld: true },
  'connection.revoked': { isNeverHeld: true },
  'statistics.updated': { isNeverHeld: false },
  'integration.suspended': { isNeverHeld: true },
} as const satisfies Readonly<Record<string, EventTypeFacts>>;

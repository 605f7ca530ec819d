type P12Facts = {
  readonly word: string;
  /** Whether a worker still makes it, it waits for its reader, the reader has it, or it is gone for good. */
  readonly stage: 'making' | 'ready' | 'handedOver' | 'gone';
};

/** What each status of a P12 package means. */
export const p12Facts = {
  making: { word: 'Being made', stage: 'making' },
  ready: { word: 'Ready to be downloaded', stage: 'ready' },
  claimed: { word: 'Handed over', stage: 'handedOver' },
  expired: { word: 'Not downloaded in time, and removed', stage: 'gone' },
  blocked: { word: 'Removed after too many wrong claim tokens', stage: 'gone' },
  failed: { word: 'Could not be made', stage: 'gone' },
  revoked: { word: 'Removed, because the certificate was revoked first', stage: 'gone' },
  unknown: { word: 'Unknown', stage: 'gone' },
} as const satisfies Readonly<Record<string, P12Facts>>;

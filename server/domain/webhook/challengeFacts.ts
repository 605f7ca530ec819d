type ChallengeFacts = {
  readonly isRunning: boolean;
  /** Whether it has proven the endpoint's URL. */
  readonly proves: boolean;
};

/** What each status of an ownership challenge means. */
export const challengeFacts = {
  pending: { isRunning: true, proves: false },
  succeeded: { isRunning: false, proves: true },
  failed: { isRunning: false, proves: false },
  unknown: { isRunning: false, proves: false },
} as const satisfies Readonly<Record<string, ChallengeFacts>>;

/** Sizes in bytes. */
export const KiB = 1024;
export const MiB = 1024 * KiB;
/** Durations in milliseconds. */
export const second = 1000;
export const minute = 60 * second;
export const hour = 60 * minute;
export const day = 24 * hour;

/**
 * The limits of quotas, of /v1 and of whatever has no file of its own (docs/specification.md, “Limits”); durations in milliseconds, sizes in
 * bytes. Subjects with many keep theirs beside what they limit, in files that end in `Limits.ts`.
 */
export const limits = {
  /** Baseline of a client (docs/specification.md, “Quotas”); approved overrides are rows of `quota_override`. */
  requestsPerHour: 600,
  requestsPerMinute: 20,
  concurrentRequests: 4,
  statisticsRequestsPerHour: 120,
  linkCodeRedemptionsPerHour: 60,
  /** A renewal takes two or three; the rest is for a worker that is late. */
  estRequestsPerHour: 10,
  linkCodeRedemptionsPerIpPer15Minutes: 10,
  pollingIntervalSeconds: 900,
  recordsPerResponse: 500,
  historyItemsUnlessAsked: 100,
  responseBytes: 8 * MiB,
  statisticsResponseBytes: 2 * MiB,
  requestBodyBytes: 16 * KiB,
  /** What is kept of the name that a browser gives itself. */
  userAgentCharacters: 256,
  /** A lease outlives the longest request a little, so that what a dead process held becomes free. */
  leaseLifetime: 35 * second,
  /**
   * From then on admission takes nothing. The machine API waits a second and a half longer for it: a second by which the database's clock may be
   * behind, and the answer's way.
   */
  admittedWithin: 3 * second,
  /** Nearly every request has ended by then. If all that hold leases began earlier, they may belong to a process that was killed. */
  usualRequest: 2 * second,
  /** Requests per minute from one address without a usable client certificate. */
  unauthenticatedRequestsPerMinute: 60,
  /** All sections of a snapshot together, so that as many as one response may have always fit into it. */
  snapshotBytes: 16_000,
  historyItemBytes: 16_000,
  resourcesPerShare: 500,

  /** docs/specification.md, “Link codes”. */
  linkCodeLifetime: 10 * minute,
  failedAttemptsPerCode: 5,
  /** Every refused redemption is answered this long after its arrival, whatever the reason for the refusal. */
  redemptionRefusedAfter: 100,
  /** How long a spent code is kept for the portal to show. Until then, no other code can have its value. */
  linkCodeKept: day,

  /** docs/specification.md, “Acknowledgement”. */
  idempotencyKeyLifetime: 30 * day,

  /** Tooling. */
  upsertBatch: 1_000,
  /** Broken rules that one refusal names at most. */
  listedErrors: 100,
  serviceTokenLifetime: 365 * day,
  /** The last use is shown to people, so noting it more often would only cost writes. */
  serviceTokenUseNotedEvery: minute,
  /** Requests per minute from one address with a token that is not valid. */
  failedServiceTokensPerMinute: 20,

  /** Rows that one statement removes, so that no lock is held for long. */
  removalSlice: 5_000,

  /** How far the clocks of others, who check what we sign or sign what we check, may differ from ours (docs/specification.md, “Clocks”). */
  clockTolerance: 5 * minute,
  /** docs/specification.md, “Health”: after how many of the planned times between two syncs the next one is late, or has stopped. */
  syncLateAfterCadences: 2,
  syncStoppedAfterCadences: 6,
  /** How many refusals, and which share of the requests, are worth mentioning (`some`), and from when on most is refused. */
  refusedRequests: { least: 3, some: 0.1, most: 0.5 },
  /** Submissions that a reviewer’s inbox lists. The queue has all of them. */
  waitingSubmissionsListed: 20,
  /**
   * What administrators are told about the service (docs/specification.md, “Administration”): rows that are counted of each thing, how
   * long an owner waits for a reviewer while no decisions tell what is usual, how long mail may take, how long before its end an authority
   * needs a successor, what is left of a revocation list that was not renewed in time (both as the alarms), and how far back moves of gates
   * are listed.
   */
  serviceCounted: 1_000,
  slowReview: 5 * day,
  slowMail: 10 * minute,
  authorityNotice: 180 * day,
  crlNotice: 5 * day,
  gatesListed: day,
  /** How far back the acts of colleagues are listed. */
  staffActsListed: 30 * day,
  /** Longer than anything for which only one mail is sent. */
  mailKept: 90 * day,
  undeliveredRecipientKept: 7 * day,

  /** Changes of business model that one integration may report in a day (docs/specification.md, “Commercial use”). */
  businessModelReportsPerDay: 10,
  /** Fits into a request's body, whatever the characters are. */
  termsCharacters: 40_000,
  /** Operators who are told of new terms in one transaction. */
  announcementSlice: 100,
  /**
   * docs/specification.md, “Lost accounts”: how long the owner of an account can object before it is reset, and how long the reset can be used
   * after that.
   */
  accountResetWait: 72 * hour,
  accountResetUsable: 14 * day,

  /**
   * docs/specification.md, “Keys at rest”. A new key is used only when every process has had the time to read it ten times. Afterwards, the
   * one before it is read for as long as what it made can live, and a little longer.
   */
  keyRingReload: minute,
  keyActivationDelay: 10 * minute,
  keyRingGrace: hour,

  /** docs/specification.md, “Test data”. */
  corpusOrders: 500,
  corpusVehicles: 50,
  corpusRequestsPerHour: 6,
  /** How many resources one call of the simulator may change. */
  simulatedResources: 50,
  /**
   * Everything that was ever shared in one sandbox, together with what its live codes would add, because a new corpus removes all of it in
   * one transaction.
   */
  sandboxShares: 5_000,
  sandboxLiveLinkCodes: 20,
  sandboxActionsPerHour: 300,

  /** docs/specification.md, “Deletion deadlines”. */
  deletionDeadline: 7 * day,
  /** After a production revocation, while its deletion is outstanding. */
  deletionWarning: 5 * day,
  /** Deletions that an owner records with one statement. */
  deletionsRecordedAtOnce: 10_000,
  /** Revocations that one pass over the deadlines takes up. */
  deadlineSlice: 500,

  quotaOverrideLifetime: 366 * day,
  reasonLength: 500,
  minimumGroupSize: 20,
  /** How long a statistics generation is kept after a newer one has followed. */
  formerGenerationKept: 90 * day,
  /** How often a mail is handed over without its outcome being stored, before its job only fails. */
  mailHandovers: 3,

  /** Lists. */
  pageSize: 100,
  /** How long an administrator's search may be, and how many things it finds before the list's other filters apply. */
  searchLength: 254,
  searchMatches: 10_000,
  /** docs/specification.md, “Finding”: things of one kind that one search names. */
  hitsOfOneKind: 8,
  /** How many trails one search of the audit trail may bring together. Each of them is a range of an index. */
  searchedTrails: 100,
  /** How many entries one export of the audit trail may hold. */
  exportedAuditEntries: 100_000,
  /** How long a month must be over before the terminal exports it, so that the last transactions of its entries have ended. */
  auditMonthRests: day,

  /** Of a batch: how many resources are worked on before others get their turn, and how many rows one statement writes. */
  resourcesPerTurn: 20,
  rowsPerStatement: 250,
} as const;

const KiB = 1024;
const MiB = 1024 * KiB;
const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** Every number that is a limit of the service (docs/specification.md, “Limits”); durations in milliseconds, sizes in bytes. */
export const limits = {
  /** Baseline of a client (docs/specification.md, “Quotas”); approved overrides are rows of `quota_override`. */
  requestsPerHour: 600,
  requestsPerMinute: 20,
  concurrentRequests: 4,
  statisticsRequestsPerHour: 120,
  linkCodeRedemptionsPerHour: 60,
  linkCodeRedemptionsPerIpPer15Minutes: 10,
  pollingIntervalSeconds: 900,
  recordsPerResponse: 500,
  historyItemsUnlessAsked: 100,
  responseBytes: 8 * MiB,
  statisticsResponseBytes: 2 * MiB,
  requestBodyBytes: 16 * KiB,
  requestTimeout: 30 * second,
  /** A lease outlives the longest request a little, so that what a dead process held becomes free. */
  leaseLifetime: 35 * second,
  /** Requests per minute from one address that carry no usable client certificate. */
  unauthenticatedRequestsPerMinute: 60,

  /**
   * Connections of one server. A client has 4 requests under way at once and a browser 6 connections,
   * so these leave room for many of either behind one address.
   */
  handshakeTimeout: 10 * second,
  unfinishedHandshakes: 1_000,
  unfinishedHandshakesPerAddress: 200,
  /** Measured: about 35 KiB of memory each, idle, with TLS. */
  connectionsPerServer: 10_000,
  /** RFC 9116, section 2.5.5, recommends less than a year. */
  securityTxtLifetime: 180 * day,
  metricsConnections: 32,
  /** Open files that database, mail, uploads, metrics and the log may need. */
  reservedOpenFiles: 256,
  /** A page's visitor, or the proxy in front, sends a head at once. */
  portalHeadersTimeout: 15 * second,
  /** A peer that neither sends nor reads: longer than any answer may take to begin. */
  connectionInactivity: minute,
  /** An idle connection is kept longer than the minute after which balancers usually drop theirs, so that they never meet a closed one. */
  keepAlive: 65 * second,
  /** Requests that may have been sent ahead of their answers on one connection; they are worked on one after the other. */
  pipelinedRequests: 32,
  /** How long a caller may go on sending a body that nobody reads any more. */
  unreadBody: 5 * second,
  /** How long the last answer of a connection may take to be read before it is cut. */
  lastAnswerRead: 2 * second,
  /** How long an answer may take once its caller has ended their side: they may be waiting for it, or have hung up. */
  answerAfterEnd: 3 * second,
  /** A stop gives requests that have arrived so long, and peers that still have to send or read so long. */
  stopPatience: { requests: 10 * second, peers: second },
  /** A snapshot's sections together, so that 500 always fit into one response. */
  snapshotBytes: 16_000,
  historyItemBytes: 16_000,
  resourcesPerShare: 500,

  /** docs/specification.md, “Link codes”. */
  linkCodeLifetime: 10 * minute,
  failedAttemptsPerCode: 5,
  /** Every refused redemption is answered this long after its arrival, whatever the reason. */
  redemptionRefusedAfter: 100,
  /** How long a spent code stays on record, for the portal to show; its value is taken meanwhile. */
  linkCodeKept: day,

  /** docs/specification.md, “Acknowledgement”. */
  idempotencyKeyLifetime: 30 * day,

  /** Tooling. */
  upsertBatch: 1_000,
  /** Broken rules that one refusal names. */
  listedErrors: 100,
  serviceTokenLifetime: 365 * day,
  /** The last use is for people; noting it more often would only cost writes. */
  serviceTokenUseNotedEvery: minute,
  /** Requests per minute from one address with a token that is not good. */
  failedServiceTokensPerMinute: 20,
  /** A full batch is 1,000 snapshots of 16,000 bytes; keys, users and JSON's own characters need the rest. */
  toolingBodyBytes: 20 * MiB,

  /** When a stored event expires (docs/specification.md, “Events”). */
  updateEventLifetime: day,
  eventLifetime: 7 * day,

  /** Usage as the operator sees it. */
  requestLogKept: 7 * day,
  usageCountersKept: 90 * day,
  /** Finished requests wait in a process's memory: written together, never in the way of an answer. */
  usageBatch: 500,
  usageBatchDelay: second,
  usageWaiting: 10_000,
  usageWaitingTime: 30 * second,
  /** Requests that took from no quota, of one client in one process; what is more is counted, not logged. */
  refusalsLoggedPerMinute: 60,
  /** Rows that are removed in one go, so that no lock is held for long. */
  removalSlice: 5_000,

  /** docs/specification.md, “Certificate issuance”, “Rotation”. */
  certificateLifetime: 90 * day,
  certificatesPerClient: 2,
  certificateOverlap: 14 * day,
  /** Mails before a certificate stops working, and when so much of an hourly quota is used. */
  certificateWarningDays: [30, 14, 7, 1],
  quotaWarningPercents: [80, 100],
  /** Longer than anything that a mail is sent only once for. */
  mailKept: 90 * day,
  undeliveredRecipientKept: 7 * day,
  csrBytes: 16 * KiB,

  /** Changes of business model that one integration may report in a day (docs/specification.md, “Commercial use”). */
  businessModelReportsPerDay: 10,

  /** docs/specification.md, “Registration”, “Sessions”, “Recovery codes”. */
  verificationLinkLifetime: 20 * minute,
  sessionIdle: 20 * minute,
  sessionLifetime: 8 * hour,
  sessionRotation: 10 * minute,
  previousGenerationGrace: 60 * second,
  enrolmentLifetime: 20 * minute,
  challengeLifetime: 5 * minute,
  freshPasskey: 5 * minute,
  /** Fits a request's body, whatever its characters. */
  termsCharacters: 40_000,
  /** Operators that are told of new terms in one transaction. */
  announcementSlice: 100,
  recoveryCodes: 10,
  /** Links to a mailbox, for a registration or a change of address; those that were confirmed are given back. */
  registrationsPerMailboxAndIpPerHour: 5,
  registrationsPerMailboxPerHour: 30,
  registrationsPerIpPerHour: 60,
  emailChangesPerOperatorPerHour: 5,
  passkeysPerOperator: 20,
  /** Live ones; the oldest gives way to the next. */
  sessionsPerOperator: 20,
  /** WebAuthn Level 3, 7.1: a longer identifier fails the registration. */
  credentialIdBytes: 1_023,
  /**
   * Attempts (docs/specification.md, “Attempts”). They leave room for a network with many people behind one address. Fixed windows in `attempt_window`; by IP
   * means by /64 where it is IPv6. Only failures count, except for what is merely begun.
   */
  signInsBegunPerIpPer15Minutes: 300,
  failedSignInsPerIpPer15Minutes: 60,
  failedConfirmationsPerSessionPer15Minutes: 20,
  failedRecoveriesPerIpPer15Minutes: 10,

  /** docs/specification.md, “Integration profile”, “Test data”. Each integration has a corpus of its own, so nobody makes them without end. */
  integrationsPerOperatorPerDay: 100,
  /** Enough for anybody who looks for a name; a list of all integrations would take years. */
  slugChecksPerOperatorPerHour: 120,
  corpusOrders: 500,
  corpusVehicles: 50,
  corpusRequestsPerHour: 6,
  /** How many resources one call of the simulator may move. */
  simulatedResources: 50,
  /** All that was ever shared in one sandbox and what its live codes would add: a new corpus takes it away in one go. */
  sandboxShares: 5_000,
  sandboxLiveLinkCodes: 20,
  sandboxActionsPerHour: 300,
  deletionDeadline: 7 * day,
  /** After a production revocation, while its deletion is outstanding. */
  deletionWarning: 5 * day,
  /** Deletions that an owner records with one statement. */
  deletionsRecordedAtOnce: 10_000,
  /** Revocations that one look at the deadlines takes up. */
  deadlineSlice: 500,
  quotaOverrideLifetime: 366 * day,
  reasonLength: 500,
  minimumGroupSize: 20,
  /** How long a statistics generation stays that a newer one follows. */
  formerGenerationKept: 90 * day,

  /** docs/specification.md, “Logo”. */
  logoBytes: 2 * MiB,
  logoSideMin: 256,
  logoSideMax: 2048,
  /** What a colour profile may unpack to, and how often a progressive picture may be refined. */
  logoColourProfileBytes: MiB,
  logoScans: 64,
  /** Chunks or segments of a file; an ordinary one has some hundred. */
  logoParts: 4_096,
  logoDecodingTime: 10 * second,
  /** Decoding takes one processor and some 50 MiB, so one upload is decoded at a time and few wait. */
  logosWaiting: 8,
  logosPerHour: 20,
  /** Refused files count as well: each costs a decoding. */
  logoUploadsPerOperatorPerHour: 60,

  /** Review. */
  reviewWords: 2_000,
  confirmationWord: 500,
  reviewMessagesPerSubmission: 100,
  /** Earlier submissions that a reviewer is shown. */
  earlierSubmissions: 20,
  /** The published review time looks back this far. */
  reviewTimesOver: 90 * day,

  /** Portal lists and documents. */
  pageSize: 100,
  /** How long a search of administrators may be, and how much it finds before the list's other filters look at it. */
  searchLength: 254,
  searchMatches: 10_000,
  /** Whose trails one search of the audit trail may bring together: each is a range of an index. */
  searchedTrails: 100,
  /** What one export of the audit trail may hold. */
  exportedAuditEntries: 100_000,
  graphqlDepth: 9,
  graphqlCost: 3_000,
  graphqlBodyBytes: 128 * KiB,
  /** What a caller may send who has neither a session nor a token: the answer of a passkey is some two thousand bytes. */
  anonymousBodyBytes: 16 * KiB,
  /** Values and names together; a batch of orders that have all the allowlist lets them have holds some 350,000. */
  jsonValues: 400_000,
  jsonDepth: 64,
  graphqlLines: 1_000,
  /** The pages' documents have some hundred; comparing fields of one name costs the square of their number. */
  graphqlTokens: 1_500,
  /** Mistakes of a document that are told at once. Each names its lines, for which the text is read from its beginning. */
  graphqlErrors: 10,
  /** Items of any list that is handed in: more than any operation takes, so that each says its own limit. */
  listedItems: 2_000,
} as const;

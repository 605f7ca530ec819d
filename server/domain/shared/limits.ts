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
  /** A renewal takes two or three; the rest is for a worker that is late. */
  estRequestsPerHour: 10,
  linkCodeRedemptionsPerIpPer15Minutes: 10,
  pollingIntervalSeconds: 900,
  recordsPerResponse: 500,
  historyItemsUnlessAsked: 100,
  responseBytes: 8 * MiB,
  statisticsResponseBytes: 2 * MiB,
  requestBodyBytes: 16 * KiB,
  /** The request line and all headers together. How long each header may be, `platform/http/requestHeaders.ts` says. */
  requestHeadBytes: 16 * KiB,
  requestHeaderLines: 100,
  /** What is kept of the name that a browser gives itself. */
  userAgentCharacters: 256,
  /** Up to this size, compressing saves less than a packet. */
  uncompressedBytes: KiB,
  /** Node has four threads for this and for files and names. Each compression holds up to 3 MiB besides its body and what becomes of that. */
  compressionsAtOnce: 4,
  requestTimeout: 30 * second,
  /** A lease outlives the longest request a little, so that what a dead process held becomes free. */
  leaseLifetime: 35 * second,
  /** Nearly every request has ended by then. If all that hold leases began earlier, they may belong to a process that was killed. */
  usualRequest: 2 * second,
  /** Requests per minute from one address without a usable client certificate. */
  unauthenticatedRequestsPerMinute: 60,

  /**
   * Connections of one server. A client has 4 requests in progress at once and a browser 6 connections, so these limits leave room for many
   * of either behind one address.
   */
  handshakeTimeout: 10 * second,
  unfinishedHandshakes: 1_000,
  unfinishedHandshakesPerAddress: 200,
  /** proxy-protocol.txt, 2.1 and 2.2: a line of version 1 with its end, and what may follow the 16 bytes of version 2 (addresses take 216). */
  proxyHeaderBytes: { line: 107, following: 1_024 },
  /** Measured: an idle connection with TLS takes about 35 KiB of memory. */
  connectionsPerServer: 10_000,
  /** RFC 9116, section 2.5.5, recommends less than a year. */
  securityTxtLifetime: 180 * day,
  metricsConnections: 32,
  /** Open files that the database, mail, uploads, metrics and the log may need. */
  reservedOpenFiles: 256,
  /** Sockets of deliveries, in a process that also works: as many attempts as may be under way (`webhookPlaces`). */
  deliveriesOpenFiles: 640,
  /** A visitor of a page, or the proxy in front, sends the request's head at once. */
  portalHeadersTimeout: 15 * second,
  /** For a peer that neither sends nor reads: longer than any answer may take to begin. */
  connectionInactivity: minute,
  /**
   * Idle connections are kept longer than the minute after which load balancers usually drop theirs, so that a balancer never meets a
   * closed one.
   */
  keepAlive: 65 * second,
  /** Requests that a caller may send ahead of the answers on one connection. They are processed one after the other. */
  pipelinedRequests: 32,
  /** How long a caller may go on sending a body that is no longer read. */
  unreadBody: 5 * second,
  /** How long a caller may take to read the last answer of a connection before it is cut off. */
  lastAnswerRead: 2 * second,
  /** How long an answer may take once the caller has ended their side. They may be waiting for it, or may have hung up. */
  answerAfterEnd: 3 * second,
  /** Seconds, in production: a balancer that asks every second or two has noticed by then. */
  drainSeconds: 10,
  /** How long a stop waits for requests that have arrived, and for peers that still have to send or read. */
  stopPatience: { requests: 10 * second, peers: second },
  /** All sections of a snapshot together, so that 500 always fit into one response. */
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
  /** A full batch is 1,000 snapshots of 16,000 bytes. The rest is for keys, users and JSON's own characters. */
  toolingBodyBytes: 20 * MiB,

  /** When a stored event expires (docs/specification.md, “Events”). */
  updateEventLifetime: day,
  eventLifetime: 7 * day,
  /** Events, deliveries and attempts, so that what failed can be replayed (docs/specification.md, “Delivery”). */
  webhookHistoryKept: 30 * day,
  /** docs/specification.md, “Webhook endpoints”. */
  webhookEndpoints: 3,
  webhookRegistrationsPerOperatorPerDay: 60,
  webhookUrlCharacters: 2_048,
  webhookDescription: 200,
  /** docs/specification.md, “Ownership challenge”. */
  webhookChallenge: { connectMs: 5 * second, totalMs: 10 * second, responseHeaderBytes: 16 * KiB, responseBodyBytes: 8 * KiB },
  webhookChallengesPerEndpointPerHour: 10,
  webhookChallengesPerOperatorPerHour: 30,
  /** Queue and request together. A challenge that has not ended by then never will, because the endpoint's owner has stopped waiting. */
  webhookChallengeLifetime: 2 * minute,
  /** Open deliveries that one transaction discards because their endpoint is gone. It takes about 20 µs for each of them. */
  deliveriesDiscardedAtOnce: 20_000,
  /** docs/specification.md, “Replays”: how long a replay is tried, how many one order may make, and how many of them one transaction makes. */
  webhookReplayWindow: day,
  deliveriesReplayedAtOnce: 10_000,
  replaySlice: 500,
  replaysPerOperatorPerDay: 50_000,
  /** docs/specification.md, “Trying now”: how many deliveries of a receiver that has recovered come forward together, and over how long they are scattered. */
  webhookComeForward: { slice: 100, spread: 5 * second },
  /** docs/specification.md, “Alerts”: after how long only of failures an owner is mailed, and how often about dead letters. */
  webhookFailureAlerts: [hour, day, 5 * day],
  deadLetterAlert: day,
  /** docs/specification.md, “Receiver checks”. Eleven probes of 15 seconds take three minutes; after the longer time, no worker is at it. */
  receiverChecksPerEndpointPerHour: 10,
  receiverChecksPerOperatorPerHour: 30,
  receiverCheckTime: 10 * minute,
  /** docs/specification.md, “Test events and samples”. */
  testEventsPerEndpointPerHour: 60,
  signedSamplesPerEndpointPerHour: 60,
  signedSampleKept: hour,
  /** Deliveries of one kind that an endpoint's health counts. */
  countedDeliveries: 1_000,

  /**
   * docs/specification.md, “Delivery”. `lastChance` is how long before the end of its window a delivery is tried that was asked to wait for
   * longer.
   */
  webhookRetry: { start: 30 * second, most: 6 * hour, lastChance: minute },
  webhookDelivery: { connectMs: 5 * second, totalMs: 15 * second, responseHeaderBytes: 16 * KiB, responseBodyBytes: 64 * KiB },
  /** Attempts of one endpoint that are in flight, and after how many failures in a row it gets one only. */
  webhookAttemptsInFlight: 8,
  webhookFailuresInRow: 5,
  /**
   * Attempts in flight of all endpoints, and of those that only fail or are slow, which have places of their own, so that they take none from
   * others. A connection with TLS takes 82 KB.
   */
  webhookPlaces: { all: 512, slow: 128 },
  /** Of one operator’s endpoints together: eight times what one endpoint may have. */
  webhookPlacesPerOperator: 64,
  /** How long attempts have to take on average before their endpoint is slow. */
  webhookSlow: 2 * second,
  /**
   * After so long, what was read about a delivery is not trusted any more, and is read again. A change of access also announces itself, so
   * this is for what is lost.
   */
  webhookReadTrusted: 100,
  /** Results of deliveries are gathered so long for one statement, and the deliveries are read so many at a time. */
  webhookResultsGathered: 15,
  webhookResultsAtOnce: 2_000,
  /** Deliveries of one endpoint or window that one statement releases or ends without an attempt. */
  webhookSlice: 1_000,

  /** Usage as the operator sees it. */
  requestLogKept: 7 * day,
  usageCountersKept: 90 * day,
  /** Finished requests wait in the process's memory and are written together, so that no answer waits for them. */
  usageBatch: 500,
  /** How many writes of one batch may be refused while single requests are looked for that the database cannot store: four of them, with 500 in a batch. */
  usageRefusedWrites: 40,
  usageBatchDelay: second,
  usageWaiting: 10_000,
  usageWaitingTime: 30 * second,
  /** How far back a live log asks at most. One that nobody looks at ends after half an hour. */
  liveLogReach: hour,
  /** Logged requests of one client in one process that drew on no quota. Any more are counted, but not logged. */
  refusalsLoggedPerMinute: 60,
  /** Refused and failed requests that are read to be grouped by cause: some milliseconds' worth, and more than a day of a client within its quotas. */
  problemsGrouped: 5_000,
  /**
   * How long after its last request a group of errors closes by itself: once its operation has been answered again, and otherwise. Operators
   * poll at least once an hour as a rule, so an error that comes with every poll stays open.
   */
  errorGroupCloses: { answered: hour, unanswered: day },
  /** Rows that one statement removes, so that no lock is held for long. */
  removalSlice: 5_000,

  /** How far the clocks of others, who check what we sign or sign what we check, may differ from ours (docs/specification.md, “Clocks”). */
  clockTolerance: 5 * minute,
  /** docs/specification.md, “Certificate issuance”, “Rotation”. */
  certificateLifetime: 90 * day,
  certificatesPerClient: 2,
  /**
   * Requests by the owner, revoked ones included, failed ones and renewals not. A rotation takes one, and one that goes wrong (a lost key, a package
   * that nobody downloaded) two or three; the rest is for a day of setting up.
   */
  certificateRequestsPerClientPerDay: 20,
  certificateOverlap: 14 * day,
  /** docs/specification.md, “P12 packages”: how long a package waits for its claim, and how many wrong tokens end it. */
  p12ClaimTime: 15 * minute,
  wrongTokensPerP12: 5,
  /** Attempts at making a package. They take about ten minutes: whoever waits for it still has the page open, which alone has the token. */
  p12Attempts: 7,
  /** Much longer than all attempts. A package that is still being made then never will be, because its last attempt was killed. */
  p12MakingTime: hour,
  /** Longer than all attempts at issuing, which take about four days. What is pending then never will be issued. */
  certificateIssuingTime: 7 * day,
  /** docs/specification.md, “Renewal without a person”: the part of its lifetime after which a certificate renews itself. */
  certificateRenewableFrom: 2 / 3,
  /**
   * When a back end is to ask again for a certificate that is being issued: after as long as it has waited already. So ten requests last
   * longer than any worker is late.
   */
  renewalRetry: { least: 5 * second, most: 15 * minute },
  /** When mails are sent: so long before a certificate stops working, and when so much of an hourly quota has been used. */
  certificateWarningDays: [30, 14, 7, 1],
  quotaWarningPercents: [80, 100],
  /** From when on the inbox asks for the next certificate, or for a call with it: as long before as an overlap lasts. */
  certificateNotice: 14 * day,
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
  /** The latest refusals that are counted of each client for all refusals of the service. */
  refusalsCounted: 100,
  /** How far back the acts of colleagues are listed. */
  staffActsListed: 30 * day,
  /** Longer than anything for which only one mail is sent. */
  mailKept: 90 * day,
  undeliveredRecipientKept: 7 * day,
  csrBytes: 16 * KiB,
  /**
   * Revocation lists (docs/specification.md, “Revocation lists”): how long one is valid, after how long the next one is made although
   * nothing has been revoked, how long revocations are gathered for one list, and how long caches may keep it.
   */
  crlLifetime: 7 * day,
  crlRenewal: day,
  crlGathering: 5 * second,
  crlCached: hour,
  /** Revocations that one list names for the first time, because each of them is written to a wide row with many indexes. */
  crlSlice: 5_000,
  /** A list that is imported: some 40 bytes for each entry, and nobody revokes so many authorities. */
  importedCrlBytes: MiB,

  /** Changes of business model that one integration may report in a day (docs/specification.md, “Commercial use”). */
  businessModelReportsPerDay: 10,

  /** RFC 5321, section 4.5.3.1.3: a path of 256 octets is an address in angle brackets. */
  emailCharacters: 254,
  /** docs/specification.md, “Registration”, “Sessions”, “Recovery codes”. */
  verificationLinkLifetime: 20 * minute,
  sessionIdle: 20 * minute,
  sessionLifetime: 8 * hour,
  sessionRotation: 10 * minute,
  previousGenerationGrace: 60 * second,
  enrolmentLifetime: 20 * minute,
  challengeLifetime: 5 * minute,
  freshPasskey: 5 * minute,
  /** Fits into a request's body, whatever the characters are. */
  termsCharacters: 40_000,
  /** Operators who are told of new terms in one transaction. */
  announcementSlice: 100,
  recoveryCodes: 10,
  /** Links to a mailbox, for a registration or a change of address. Links that were confirmed do not count. */
  registrationsPerMailboxAndIpPerHour: 5,
  registrationsPerMailboxPerHour: 30,
  registrationsPerIpPerHour: 60,
  emailChangesPerOperatorPerHour: 5,
  /**
   * docs/specification.md, “Lost accounts”: how long the owner of an account can object before it is reset, and how long the reset can be used
   * after that.
   */
  accountResetWait: 72 * hour,
  accountResetUsable: 14 * day,
  /** docs/specification.md, “Registration”. A guess at a code of 40 bits then succeeds once in 200 billion registrations. */
  registrationCodeTries: 5,
  /** How long a browser keeps the secret by which it can answer what it has begun: longer than links and challenges. */
  browserSecretLifetime: 30 * minute,
  /** More than the devices of one person. */
  passkeysPerOperator: 20,
  /** Live sessions. The oldest one makes room for a new one. */
  sessionsPerOperator: 20,
  /** WebAuthn Level 3, 7.1: with a longer identifier, the registration fails. */
  credentialIdBytes: 1_023,
  /**
   * Attempts (docs/specification.md, “Attempts”). The limits leave room for a network with many people behind one address. Windows are
   * fixed rows of `attempt_window`. IPv6 addresses count by their /64. Only failures count.
   */
  failedSignInsPerIpPer15Minutes: 60,
  failedConfirmationsPerSessionPer15Minutes: 20,
  failedRecoveriesPerIpPer15Minutes: 10,

  /**
   * docs/specification.md, “Keys at rest”. A new key is used only when every process has had the time to read it ten times. Afterwards, the
   * one before it is read for as long as what it made can live, and a little longer.
   */
  keyRingReload: minute,
  keyActivationDelay: 10 * minute,
  keyRingGrace: hour,

  /**
   * docs/specification.md, “Signing keys”: how long a key is published before and after it signs, how long it signs, how long caches may keep
   * the key set, and how old the workers’ knowledge of the current key may be.
   */
  signingKeyPublishedBefore: day,
  signingKeyRotation: 90 * day,
  signingKeyKept: 8 * day,
  signingKeysCached: hour,
  signingKeyReload: second,

  /** docs/specification.md, “Integration profile”, “Test data”. Each integration has its own corpus, so their number is limited. */
  integrationsPerOperatorPerDay: 100,
  /** Enough for anybody who is looking for a name. Listing all integrations this way would take years. */
  slugChecksPerOperatorPerHour: 120,
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

  /** docs/specification.md, “Logo”. */
  logoBytes: 2 * MiB,
  logoSideMin: 256,
  logoSideMax: 2048,
  /** The size to which a colour profile may be unpacked, and how often a progressive image may be refined. */
  logoColourProfileBytes: MiB,
  logoScans: 64,
  /** Chunks or segments of a file. An ordinary file has some hundred. */
  logoParts: 4_096,
  logoDecodingTime: 10 * second,
  /** Decoding takes one processor and some 50 MiB, so uploads are decoded one at a time and only a few may wait. */
  logosWaiting: 8,
  logosPerHour: 20,
  /** Refused files count as well, because each of them is decoded. */
  logoUploadsPerOperatorPerHour: 60,

  /** Review. */
  reviewWords: 2_000,
  confirmationWord: 500,
  reviewMessagesPerSubmission: 100,
  /** Earlier submissions that a reviewer is shown. */
  earlierSubmissions: 20,
  /**
   * docs/specification.md, “Checks by the service”. All pages are visited at once, each with its redirects in this time, so a check takes as long as a
   * challenge. Measured: reading 512 KiB of the worst HTML takes 20 ms.
   */
  pageCheck: { connectMs: 5 * second, totalMs: 10 * second, responseHeaderBytes: 16 * KiB, responseBodyBytes: 512 * KiB },
  pageRedirects: 3,
  pageChecksPerIntegrationPerHour: 10,
  pageChecksPerOperatorPerHour: 30,
  /** Those that a saved draft causes. */
  draftChecksPerIntegrationPerHour: 5,
  /** Queue and check together. After that, no worker is at it. */
  pageCheckTime: 2 * minute,
  /** What a check found, and what an owner has written of a submission. */
  pageChecksKept: 90 * day,
  submissionDraftKept: 90 * day,
  /** How often a mail is handed over without its outcome being stored, before its job only fails. */
  mailHandovers: 3,
  /** A reviewer who comes back from a long leave finds the notes of a submission that is still open. */
  reviewDraftKept: 90 * day,
  /**
   * The page of a submission says every 45 seconds that a reviewer has it open. How often that is stored, for how long it is believed, and after
   * how long a new visit has begun.
   */
  reviewVisit: { stored: 30 * second, believed: 2 * minute, over: 10 * minute },
  /** A reviewer's own former notes on one item, to begin a new one with, and how many former verdicts are searched for them. */
  formerNotes: 5,
  formerNotesSearched: 200,
  /** Submissions, reports and revisions are counted up to this. */
  reviewsCounted: 100,
  /** How far back the published review time looks. */
  reviewTimesOver: 90 * day,

  /** Portal lists and documents. */
  pageSize: 100,
  /** How long an administrator's search may be, and how many things it finds before the list's other filters apply. */
  searchLength: 254,
  searchMatches: 10_000,
  /**
   * docs/specification.md, “Finding”: things of one kind that one search names, and searches of one operator. A search begins a moment after
   * the last key, so nobody who types gets near it.
   */
  foundOfOneKind: 8,
  findsPerOperatorPer15Minutes: 600,
  /** How many trails one search of the audit trail may bring together. Each of them is a range of an index. */
  searchedTrails: 100,
  /** How many entries one export of the audit trail may hold. */
  exportedAuditEntries: 100_000,
  /** How long a month must be over before the terminal exports it, so that the last transactions of its entries have ended. */
  auditMonthRests: day,
  graphqlDepth: 9,
  graphqlCost: 3_000,
  graphqlBodyBytes: 128 * KiB,
  /** How much a caller without a session or token may send. The response of a passkey takes some two thousand bytes. */
  anonymousBodyBytes: 16 * KiB,
  /** Values and names together. A batch of orders with everything that the allowlist permits has some 350,000. */
  jsonValues: 400_000,
  jsonDepth: 64,
  /** Of one number, in a row. A double has 17 that count. */
  jsonDigits: 1_000,
  graphqlLines: 1_000,
  /** The pages' documents have about a hundred. Comparing fields of one name costs the square of their number. */
  graphqlTokens: 1_500,
  /** The same of a caller without a session or token, who holds up nobody for a fifth of the time. */
  strangersTokens: 500,
  /** docs/specification.md, “Portal requests”: from when on a process says what held its event loop, and how often it looks. */
  loopHeld: 100,
  loopWatchedEvery: 20,
  /** Of a batch: how many resources are worked on before others get their turn, and how many rows one statement writes. */
  resourcesPerTurn: 20,
  rowsPerStatement: 250,
  /** Mistakes of a document that are reported at once. Each names its line, for which the text is read from the beginning. */
  graphqlErrors: 10,
  /** Items of any list in the input: more than any operation takes, so that each operation can name its own limit. */
  listedItems: 2_000,
} as const;

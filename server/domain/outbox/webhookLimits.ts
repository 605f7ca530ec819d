import { KiB, second, minute, hour, day } from '../shared/limits.ts';

/** Limits of webhooks: of endpoints, deliveries, trials and signing keys; durations in milliseconds, sizes in bytes. */
export const webhookLimits = {
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
  /** Of one operator, so that servers that do not answer keep no other operator's challenge waiting. Two, for those who verify one endpoint after the other. */
  webhookChallengesUnderWay: 2,
  /** From when a worker has begun it, with what follows when that worker dies; and until then. After that, the endpoint's owner has stopped waiting. */
  webhookChallengeLifetime: 2 * minute,
  webhookChallengeWait: 10 * minute,
  /** Open deliveries that one transaction discards because their endpoint is gone. It takes about 20 µs for each of them. */
  deliveriesDiscardedAtOnce: 20_000,
  /** docs/specification.md, “Replays”: how long a replay is tried, how many one order may make, and how many of them one transaction makes. */
  webhookReplayWindow: day,
  deliveriesReplayedAtOnce: 10_000,
  replaySlice: 500,
  replaysPerOperatorPerDay: 50_000,
  /**
   * docs/specification.md, “Trying now”: how many deliveries of a receiver that has recovered come forward together, and over how long they
   * are scattered.
   */
  webhookComeForward: { slice: 100, spread: 5 * second },
  /** docs/specification.md, “Alerts”: after how long only of failures an owner is mailed, and how often about dead letters. */
  webhookFailureAlerts: [hour, day, 5 * day],
  deadLetterAlert: day,
  /** docs/specification.md, “Receiver checks”. All probes, each until its time is over, take a few minutes; so long after a worker has begun, none is at it any more, and so long one waits for a worker. */
  receiverChecksPerEndpointPerHour: 10,
  receiverChecksPerOperatorPerHour: 30,
  receiverCheckTimes: { time: 10 * minute, wait: 10 * minute },
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
   * Attempts in flight of all endpoints, and of those that only fail or are slow, which have permits of their own, so that they take none from
   * others. A connection with TLS takes 82 KB.
   */
  webhookAttemptPools: { all: 512, slow: 128 },
  /** Of one operator’s endpoints together: several times what one endpoint may have. */
  webhookAttemptsPerOperator: 64,
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

  /**
   * docs/specification.md, “Signing keys”: how long a key is published before and after it signs, how long it signs, how long caches may keep
   * the key set, and how old the workers’ knowledge of the current key may be.
   */
  signingKeyPublishedBefore: day,
  signingKeyRotation: 90 * day,
  signingKeyKept: 8 * day,
  signingKeysCached: hour,
  signingKeyReload: second,
} as const;

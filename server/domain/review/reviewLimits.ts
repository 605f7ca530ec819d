import { KiB, second, minute, day } from '../shared/limits.ts';

/** Limits of submissions, reviews and checks of pages; durations in milliseconds, sizes in bytes. */
export const reviewLimits = {
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
  /**
   * From when a worker has begun it, after which none is at it any more; and until then. While a check waits behind those of others, none of its own
   * time passes.
   */
  pageCheckTimes: { time: 2 * minute, wait: 10 * minute },
  /** What a check found, and what an owner has written of a submission. */
  pageChecksKept: 90 * day,
  submissionDraftKept: 90 * day,
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
} as const;

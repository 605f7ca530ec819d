import { second, hour, day } from '../shared/limits.ts';

/** Limits of counters, of the request log and of what is made of them; durations in milliseconds. */
export const usageLimits = {
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
  /** When mails are sent: when so much of an hourly quota has been used. */
  quotaWarningPercents: [80, 100],
  /** The latest refusals that are counted of each client for all refusals of the service. Of more, its owner is not told how many had which reason. */
  refusalsCounted: 100,
} as const;

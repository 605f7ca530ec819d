/** Settings of a session, as `set_config` takes them. Times are milliseconds. */
export type Settings = Readonly<Record<string, string | number>>;

/** A statement or transaction that hangs is ended, so that it cannot hold up others. */
const bounded = {
  TimeZone: 'UTC',
  statement_timeout: 15_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 10_000,
  // Whatever is looked up through an index is nearly always in memory. PostgreSQL's own default is for spinning disks.
  random_page_cost: 1.1,
} as const;

/**
 * For statements that all read through an index and are bounded by their own limits. A plan that was made while the tables were small, or a
 * generic plan that guesses, would otherwise read whole tables.
 */
const throughIndexes = {
  jit: 'off',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
  plan_cache_mode: 'force_generic_plan',
} as const;

/** PostgreSQL’s own choice of plans, for a role whose other statements all read through indexes. */
const anyPlan = Object.fromEntries(Object.keys(throughIndexes).map((name) => [name, name === 'plan_cache_mode' ? 'auto' : 'on']));

/** What each role sets for all of its sessions. */
export const roleSettings = {
  portal: bounded,
  machine_api: { ...bounded, ...throughIndexes },
  workers: bounded,
} as const satisfies Readonly<Record<string, Settings>>;

/**
 * How many connections a role has at most where the service makes it, so that one process that was broken into, or loses its connections, leaves
 * room for the others. Enough for three portals, three machine APIs and two workers, while one of them is being replaced.
 */
export const connectionLimits = { portal: 60, machine_api: 90, workers: 140 } as const satisfies Readonly<
  Record<keyof typeof roleSettings, number>
>;

/** A slow statement here would hold up everything, and none has a reason to be slow. */
const webhooks = { ...throughIndexes, statement_timeout: 10_000 } as const;

/** Those behind these have less patience than a role allows. PostgreSQL ends one before, so that its session is there for the next one. */
const brief = { statement_timeout: 5_000 } as const;
/** Whatever has happened to the server, a client hears of it within five seconds (docs/operating.md, “When the database cannot write”). */
const admission = { statement_timeout: 3_500 } as const;

/** What a use of connections sets beyond its role, right after connecting. */
export const useSettings = {
  'machine-api-admission': admission,
  'machine-api-usage': brief,
  'machine-api-commands': anyPlan,
  'webhook-results': webhooks,
  // The leader asks something at least every five seconds. If it hangs or is cut off, PostgreSQL ends its session after this time, and
  // the next process leads.
  'webhook-pump': {
    ...webhooks,
    idle_session_timeout: 20_000,
    tcp_keepalives_idle: 10,
    tcp_keepalives_interval: 5,
    tcp_keepalives_count: 2,
  },
} as const satisfies Readonly<Record<string, Settings>>;

/** The only source of time, in whole milliseconds, so that PostgreSQL and JavaScript agree on every instant. */
export type Clock = { now(): Date };

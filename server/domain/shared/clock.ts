/** The only source of time; whole milliseconds, so that PostgreSQL and JavaScript agree on every instant. */
export type Clock = { now(): Date };

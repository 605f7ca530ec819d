import pg from 'pg';

/**
 * What a row has for each type of PostgreSQL, whichever connection reads it. An instant is a Date, which the ORM would leave as text. A day is text
 * such as 2026-01-02, because a Date would be its midnight wherever the process runs.
 */
export const rowTypes = new pg.TypeOverrides();
rowTypes.setTypeParser(pg.types.builtins.DATE, (day) => day);

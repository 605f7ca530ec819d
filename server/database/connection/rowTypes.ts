import pg from 'pg';

/**
 * What a row has for each type of PostgreSQL, whichever connection reads it. An instant is a Date, which the ORM would leave as text. A day is text
 * such as 2026-01-02, because a Date would be its midnight wherever the process runs.
 */
export const rowTypes = new pg.TypeOverrides();
rowTypes.setTypeParser(pg.types.builtins.DATE, (day) => day);

const anyInstant: (text: string) => Date | number = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);
/** Sessions are in UTC, and JavaScript reads such an instant twice as fast as the driver, which is left what has another form. */
rowTypes.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) =>
  text[10] === ' ' && text.endsWith('+00') ? new Date(`${text.slice(0, 10)}T${text.slice(11, -3)}Z`) : anyInstant(text),
);

import pg from 'pg';

/**
 * What a row has for each type of PostgreSQL, whichever connection reads it. An instant is a Date, which the ORM would leave as text. A day is text
 * such as 2026-01-02, because a Date would be its midnight wherever the process runs.
 */
export const rowTypes = new pg.TypeOverrides();
rowTypes.setTypeParser(pg.types.builtins.DATE, (day) => day);

const anyInstant: (text: string) => Date | number = pg.types.getTypeParser(pg.types.builtins.TIMESTAMPTZ);
/**
 * Sessions are in UTC, as in “2026-01-02 03:04:05.678901+00”. Such an instant is read digit by digit, since an answer about a thousand integrations has
 * ten thousand of them: twice as fast as JavaScript parses it, which is twice as fast as the driver. The driver is left what has another form.
 */
rowTypes.setTypeParser(pg.types.builtins.TIMESTAMPTZ, (text) =>
  text[10] === ' ' && text[0] !== '0' && text.endsWith('+00') ? instantOf(text) : anyInstant(text),
);

function instantOf(text: string): Date {
  const two = (at: number) => digit(text, at) * 10 + digit(text, at + 1);
  const end = text.length - 3;
  let milliseconds = 0;
  for (let [at, weight] = [20, 100]; at < end && weight >= 1; at += 1, weight /= 10) milliseconds += digit(text, at) * weight;
  return new Date(Date.UTC(two(0) * 100 + two(2), two(5) - 1, two(8), two(11), two(14), two(17), milliseconds));
}

const digit = (text: string, at: number): number => text.charCodeAt(at) - 48;

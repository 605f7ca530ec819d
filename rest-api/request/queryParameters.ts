import { invalidParameter, Problem } from '../answer/problemDetails.ts';

const none: Readonly<Record<string, string>> = Object.freeze({});

/**
 * The query as a record. Throws `invalid_request` if a parameter is unknown or occurs twice. The name of an unknown parameter is not
 * repeated, because it may be a code in the wrong place, and answers are logged.
 */
export function readQuery(querystring: string, known: readonly string[]): Readonly<Record<string, string>> {
  if (querystring === '') return none;
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(querystring)) {
    if (!known.includes(name)) throw unknownParameter(known);
    if (Object.hasOwn(query, name)) throw invalidParameter(name, 'The parameter may be given only once.');
    query[name] = value;
  }
  return query;
}

/** A whole number between `least` and `most`. Throws `invalid_request` naming the parameter. */
export function readInteger(
  query: Readonly<Record<string, string>>,
  name: string,
  { least, most, fallback }: { least: number; most: number; fallback: number },
): number {
  const text = query[name];
  if (text === undefined) return fallback;
  const value = /^(0|[1-9][0-9]{0,15})$/.test(text) ? Number(text) : Number.NaN;
  if (!(value >= least && value <= most)) throw invalidParameter(name, `Must be a whole number from ${least} to ${most}.`);
  return value;
}

function unknownParameter(known: readonly string[]): Problem {
  const detail =
    known.length === 0
      ? 'This operation takes no query parameters.'
      : `There is an unknown query parameter. This operation takes ${known.join(' and ')}.`;
  return new Problem('invalid_request', { detail, extensions: { errors: [{ detail }] } });
}

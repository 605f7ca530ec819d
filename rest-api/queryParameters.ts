import { invalidParameter } from './problemDetails.ts';

const none: Readonly<Record<string, string>> = Object.freeze({});

/** The query as a record. Throws `invalid_request` naming a parameter that is unknown, doubled or not decodable. */
export function readQuery(querystring: string, known: readonly string[]): Readonly<Record<string, string>> {
  if (querystring === '') return none;
  const query: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(querystring)) {
    if (!known.includes(name)) throw invalidParameter(name.slice(0, 64), `The parameter is not known here${knownText(known)}.`);
    if (Object.hasOwn(query, name)) throw invalidParameter(name, 'The parameter may be given once.');
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

function knownText(known: readonly string[]): string {
  return known.length === 0 ? ': this operation takes none' : `; known are ${known.join(' and ')}`;
}

import { invalidHeader, Problem } from '../answer/problemDetails.ts';

const visibleAscii = /^[\x21-\x7e]{1,255}$/;
/** A string of RFC 8941, section 3.3.3. */
const quoted = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/**
 * The key of an acknowledgement: 1 to 255 visible ASCII characters, either bare or as a structured-field string; both forms mean the same
 * key. Throws `idempotency_key_required`, or `invalid_request` that names the header.
 */
export function readIdempotencyKey(values: readonly string[]): string {
  const [value, ...more] = values;
  if (value === undefined) throw new Problem('idempotency_key_required');
  if (more.length > 0) throw invalidHeader('Idempotency-Key', 'The header may be given only once.');
  const key = value.startsWith('"') ? quoted.exec(value)?.[1]?.replaceAll(/\\(.)/g, '$1') : value;
  if (key === undefined || !visibleAscii.test(key)) {
    throw invalidHeader('Idempotency-Key', 'Must be 1 to 255 visible ASCII characters, with or without double quotes around it.');
  }
  return key;
}

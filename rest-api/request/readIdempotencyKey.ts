import { parseItem } from 'structured-headers';
import { invalidHeader, Problem } from '../answer/problemDetails.ts';

const visibleAscii = /^[\x21-\x7e]{1,255}$/;

/**
 * The key of an acknowledgement: 1 to 255 visible ASCII characters, either bare or as a structured-field string; both forms mean the same
 * key. Throws `idempotency_key_required`, or `invalid_request` that names the header.
 */
export function readIdempotencyKey(values: readonly string[]): string {
  const [value, ...more] = values;
  if (value === undefined) throw new Problem('idempotency_key_required');
  if (more.length > 0) throw invalidHeader('Idempotency-Key', 'The header may be given only once.');
  const key = value.startsWith('"') ? stringOf(value) : value;
  if (key === undefined || !visibleAscii.test(key)) {
    throw invalidHeader('Idempotency-Key', 'Must be 1 to 255 visible ASCII characters, with or without double quotes around it.');
  }
  return key;
}

/** The string (RFC 9651, section 3.3.3), which has no parameters, or undefined. */
function stringOf(value: string): string | undefined {
  try {
    const [key, parameters] = parseItem(value);
    return typeof key === 'string' && parameters.size === 0 ? key : undefined;
  } catch {
    return undefined;
  }
}

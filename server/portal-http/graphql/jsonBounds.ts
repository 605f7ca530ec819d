import { DomainError } from '../../domain/shared/DomainError.ts';
import { graphqlLimits } from '../../portal-api/graphqlLimits.ts';

const [quote, backslash, comma, colon, zero, nine] = [0x22, 0x5c, 0x2c, 0x3a, 0x30, 0x39];
const openers = new Set([0x5b, 0x7b]);
const closers = new Set([0x5d, 0x7d]);

/**
 * Refuses JSON with more values, deeper ones or longer numbers than anybody needs here, before it is parsed: parsing 20 MiB of `[` or of small
 * objects takes gigabytes and many seconds, and one number of 20 MiB takes most of a second. Goes through the bytes once and does not check whether
 * they are JSON at all. Errors: invalid_request.
 */
export function refuseUnboundedJson(bytes: Uint8Array): void {
  let values = 1;
  let depth = 0;
  let digits = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    digits = byte >= zero && byte <= nine ? digits + 1 : 0;
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === comma || byte === colon) values += 1;
    else if (openers.has(byte)) {
      depth += 1;
      values += 1;
    } else if (closers.has(byte)) depth -= 1;
    if (depth > graphqlLimits.jsonDepth) throw refusal(`The JSON nests deeper than ${graphqlLimits.jsonDepth} levels.`);
    if (digits > graphqlLimits.jsonDigits) throw refusal(`The JSON has a number of more than ${graphqlLimits.jsonDigits} digits.`);
    if (values > graphqlLimits.jsonValues) throw refusal(`The JSON has more than ${graphqlLimits.jsonValues} values and names.`);
  }
}

/** Where the text that begins at `start` ends: at the next quote that is not preceded by an odd number of backslashes. */
function endOfText(bytes: Uint8Array, start: number): number {
  for (let end = bytes.indexOf(quote, start + 1); end !== -1; end = bytes.indexOf(quote, end + 1)) {
    let backslashes = 0;
    while (bytes[end - 1 - backslashes] === backslash) backslashes += 1;
    if (backslashes % 2 === 0) return end;
  }
  return bytes.length;
}

function refusal(detail: string): DomainError {
  return new DomainError('invalid_request', { detail });
}

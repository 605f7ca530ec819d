import { limits } from '../../domain/shared/limits.ts';
import { serverLimits } from './serverLimits.ts';

/** What becomes of one header of a request. */
type HeaderRule = {
  /** The most bytes that its value may have, with repeated lines joined. A longer one is refused with 431. */
  readonly most: number;
  /** The form in which everything behind the parser sees it; undefined if nobody is to see it. It takes time in proportion to the value's length. */
  readonly normal: (value: string) => string | undefined;
};

const asSent = (value: string) => value;
const inLowerCase = (value: string) => value.toLowerCase();
const trimmed = (value: string) => value.trim();

/**
 * Every header that anything behind the parser reads. Whatever is not named here is read by nobody, neither by us nor by a library: not
 * Range, not Forwarded, not `traceparent`.
 */
export const requestHeaders: Readonly<Record<string, HeaderRule>> = {
  accept: { most: 1_024, normal: preferences },
  'accept-encoding': { most: 512, normal: preferences },
  authorization: { most: 512, normal: (value) => value.trim().replaceAll(/[\t ]+/g, ' ') },
  connection: { most: 256, normal: inLowerCase },
  'content-encoding': { most: 64, normal: inLowerCase },
  'content-length': { most: 32, normal: trimmed },
  'content-type': { most: 256, normal: mediaType },
  // Other services of the same site set cookies as well, and their number must lock nobody out.
  cookie: { most: serverLimits.requestHeadBytes, normal: ownCookies },
  // The longest name (RFC 1035), in brackets or not, and a port.
  host: { most: 262, normal: asSent },
  // 255 characters, each of them escaped.
  'idempotency-key': { most: 1_024, normal: asSent },
  'if-modified-since': { most: 64, normal: trimmed },
  'if-none-match': { most: 4_096, normal: trimmed },
  origin: { most: 512, normal: asSent },
  'transfer-encoding': { most: 64, normal: inLowerCase },
  upgrade: { most: 256, normal: asSent },
  // Browsers name every application that they are embedded in. Only the beginning is kept of it.
  'user-agent': { most: serverLimits.requestHeadBytes, normal: (value) => value.slice(0, limits.userAgentCharacters) },
  'x-forwarded-for': { most: 2_048, normal: asSent },
  'x-svc-background': { most: 16, normal: asSent },
};

/** A name of a token (RFC 9110, section 5.6.2), or two of them with a slash between them. */
const named = /^[\w!#$%&'*+.^`|~-]+(?:\/[\w!#$%&'*+.^`|~-]+)?$/;
const weight = /^q=(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/;
const mostPreferences = 32;

/** A list with weights (RFC 9110, section 12.4.2): names and `q` alone, in lower case and without blanks. What is not one of these is left out. */
function preferences(value: string): string {
  return value
    .toLowerCase()
    .split(',', mostPreferences)
    .flatMap((item) => {
      const [name = '', ...parameters] = item.split(';').map(trimmed);
      const q = parameters.find((parameter) => weight.test(parameter));
      return named.test(name) ? [q === undefined ? name : `${name};${q}`] : [];
    })
    .join(',');
}

/** A media type and its charset (RFC 9110, section 8.3.1), in lower case and without blanks or quotes. No other parameter means anything here. */
function mediaType(value: string): string | undefined {
  const [type = '', ...parameters] = value.toLowerCase().split(';').map(trimmed);
  if (!type.includes('/') || !named.test(type)) return undefined;
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  return charset === undefined ? type : `${type};charset=${charset.replaceAll('"', '')}`;
}

/** The portal's own cookies, whose names all begin so. */
const ownPrefix = '__Host-svc_';

function ownCookies(value: string): string | undefined {
  if (!value.includes(ownPrefix)) return undefined;
  const own = value
    .split(';')
    .map(trimmed)
    .filter((pair) => pair.startsWith(ownPrefix));
  return own.length === 0 ? undefined : own.join('; ');
}

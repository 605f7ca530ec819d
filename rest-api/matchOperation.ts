import { match as matcherOf } from 'path-to-regexp';
import type { Operation } from './Operation.ts';
import { operations } from './operations.ts';

/** What a request line asks for. 404 and 405 are answered only after authentication. */
export type Match =
  | { readonly found: 'operation'; readonly operation: Operation; readonly parameters: Readonly<Record<string, string>> }
  | { readonly found: 'path'; readonly allow: readonly string[]; readonly parameters: Readonly<Record<string, string>> }
  | { readonly found: 'nothing' };

/** Paths are compared byte for byte: case counts, a slash at the end counts, and parameters stay as they were sent. */
const exactly = { sensitive: true, trailing: false, decode: false } as const;

const paths = operations.map((operation) => ({
  operation,
  parametersOf: matcherOf<Record<string, string>>(operation.path.replaceAll(/\{(\w+)\}/g, ':$1'), exactly),
}));

/** Finds the operation for a method and an undecoded path. HEAD is GET without a body. */
export function matchOperation(method: string, path: string): Match {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const allow = new Set<string>();
  let others: Readonly<Record<string, string>> = {};
  for (const { operation, parametersOf } of paths) {
    const matched = parametersOf(path);
    if (!matched) continue;
    if (operation.method === wanted) return { found: 'operation', operation, parameters: matched.params };
    others = matched.params;
    allow.add(operation.method);
    if (operation.method === 'GET') allow.add('HEAD');
  }
  return allow.size > 0 ? { found: 'path', allow: [...allow], parameters: others } : { found: 'nothing' };
}

/**
 * The path as a problem may repeat it: as it was sent if it is, or is meant as, one of the contract's and all its parameters have the form of
 * identifiers, otherwise `/`. A code that somebody puts into a path by mistake must not end up in their logs through our answer.
 */
export function instanceOf(match: Match, path: string): string {
  if (match.found === 'nothing') return meantPath(path) === null ? '/' : path;
  return isPublic(match.parameters) ? path : '/';
}

/**
 * The contract's path that was most likely meant by one that the contract has not: slashes that are doubled or stand at the end, `/v1` that is
 * doubled or missing, another case, and characters that need not be encoded. Null if there is none that may be repeated.
 */
export function meantPath(path: string): string | null {
  const decoded = path.replaceAll(/%[2-7][0-9a-f]/gi, (code) => decodeUnreserved(code)).toLowerCase();
  const segments = decoded.split('/').filter((segment) => segment !== '' && segment !== '.');
  const plain = `/${segments.join('/')}`.replace(/^(?:\/v1)+(?=\/v1\/)/, '');
  const found = [plain, `/v1${plain}`].find((candidate) => {
    const match = matchOperation('GET', candidate);
    return match.found !== 'nothing' && isPublic(match.parameters);
  });
  return found === undefined || found === path ? null : found;
}

/** Whether there is nothing in a path that should not be repeated. */
function isPublic(parameters: Readonly<Record<string, string>>): boolean {
  return Object.values(parameters).every((value) => /^[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}$/.test(value));
}

/** RFC 3986, section 2.3. */
function decodeUnreserved(code: string): string {
  const character = String.fromCharCode(Number.parseInt(code.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : code;
}

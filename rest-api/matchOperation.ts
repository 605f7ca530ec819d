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
 * The path as a problem may repeat it: whole if the contract has it and all its parameters have the form of identifiers, otherwise `/`.
 * A code that somebody puts into a path by mistake must not end up in their logs through our answer.
 */
export function instanceOf(match: Match, path: string): string {
  if (match.found === 'nothing') return '/';
  return Object.values(match.parameters).every((value) => /^[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}$/.test(value)) ? path : '/';
}

import type { Route } from './Route.ts';
import { routes } from './routes.ts';

/** What a request line stands for. 404 and 405 are answered only after authentication. */
export type Match =
  | { readonly found: 'route'; readonly route: Route; readonly parameters: Readonly<Record<string, string>> }
  | { readonly found: 'path'; readonly allow: readonly string[]; readonly parameters: Readonly<Record<string, string>> }
  | { readonly found: 'nothing' };

type Compiled = { route: Route; pattern: RegExp; names: string[] };

const compiled: readonly Compiled[] = routes.map((route) => ({
  route,
  pattern: new RegExp(`^${route.path.replace(/\{[a-z_]+\}/g, '([^/]+)')}$`),
  names: [...route.path.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1] ?? ''),
}));

/** Finds the operation for a method and an undecoded path. HEAD is GET without a body. */
export function matchRoute(method: string, path: string): Match {
  const wanted = method === 'HEAD' ? 'GET' : method;
  const allow = new Set<string>();
  let others: Readonly<Record<string, string>> = {};
  for (const { route, pattern, names } of compiled) {
    const match = pattern.exec(path);
    if (!match) continue;
    const parameters = Object.fromEntries(names.map((name, index) => [name, match[index + 1] ?? '']));
    if (route.method === wanted) return { found: 'route', route, parameters };
    others = parameters;
    allow.add(route.method);
    if (route.method === 'GET') allow.add('HEAD');
  }
  return allow.size > 0 ? { found: 'path', allow: [...allow], parameters: others } : { found: 'nothing' };
}

/**
 * The path as a problem may repeat it: whole where the contract has it and its parameters have the form of identifiers, else `/`. A code
 * that was put into a path by mistake would stand in its sender's logs.
 */
export function instanceOf(match: Match, path: string): string {
  if (match.found === 'nothing') return '/';
  return Object.values(match.parameters).every((value) => /^[a-z]{3}_[0-9a-hjkmnp-tv-z]{26}$/.test(value)) ? path : '/';
}

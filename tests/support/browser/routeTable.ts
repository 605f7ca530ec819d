import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { transformSync } from '@swc/core';
import * as addresses from '../../../portal-web/src/paths.ts';

type Route = { readonly path?: string; readonly index?: boolean; readonly children?: readonly Route[] };

const source = fileURLToPath(new URL('../../../portal-web/src/routes.tsx', import.meta.url));

/** The address pattern of every page in the portal's own router, such as `/integrations/:slug/sandbox`. No page is loaded. */
export function routePatterns(): string[] {
  return patternsOf(routerTable());
}

/** What `createRouter` hands to the router, found by running the file with nothing but its paths. */
function routerTable(): readonly Route[] {
  const { code } = transformSync(readFileSync(source, 'utf8'), {
    filename: source,
    jsc: { target: 'es2024', parser: { syntax: 'typescript', tsx: true }, transform: { react: { runtime: 'automatic' } } },
    module: { type: 'commonjs' },
    swcrc: false,
  });
  const nothing: unknown = new Proxy({}, { get: () => () => null });
  const known: Readonly<Record<string, unknown>> = {
    'react-router': { createBrowserRouter: (routes: readonly Route[]) => routes, Navigate: null },
    './paths.ts': addresses,
  };
  const exports: { createRouter?: () => readonly Route[] } = {};
  runInNewContext(code, { exports, require: (name: string) => known[name] ?? nothing });
  if (!exports.createRouter) throw new Error('routes.tsx exports no createRouter.');
  return exports.createRouter();
}

function patternsOf(routes: readonly Route[], above = ''): string[] {
  return routes.flatMap(({ path = '', index, children }) => {
    const pattern = path === '' || path === '*' || path.startsWith('/') ? path || above : `${above}/${path}`;
    return children ? patternsOf(children, pattern) : [index ? `${above}/` : pattern];
  });
}

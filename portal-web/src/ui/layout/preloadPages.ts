import { useEffect } from 'react';
import { matchRoutes, type DataRouter, type Params } from 'react-router';
import { isAhead } from '../../graphql/pageLoader.ts';

type Loader = (opened: { readonly request: Request; readonly params: Params; readonly context: typeof isAhead }) => unknown;

let router: Pick<DataRouter, 'routes' | 'state'> | null = null;

/** Names the router whose pages can be loaded before they are opened. */
export function preloadFrom(from: Pick<DataRouter, 'routes' | 'state'>): void {
  router = from;
}

/** How long a reader looks at a page before the next ones are loaded, in milliseconds, so that nothing of this page waits for them. */
const afterLooking = 1_000;

/**
 * Loads the scripts of pages that the reader is likely to open next, one after the other, so that a click does not have to wait for them.
 * Not where the reader saves data or is offline, and no further once something cannot be loaded: a browser may remember that until the page
 * is loaded again.
 */
export function usePreloadedPages(paths: readonly string[]): void {
  const all = paths.join(' ');
  useEffect(() => {
    if (savesData() || !navigator.onLine) return;
    let left = false;
    const timer = setTimeout(async () => {
      for (const path of all.split(' ')) {
        if (left || !(await modulesOf(path))) return;
      }
    }, afterLooking);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [all]);
}

/**
 * Runs the loader of the page at this address, because the reader is about to open it for the first time. A page that has been open shows what is
 * remembered of it, and asks with the click.
 */
export async function askForPage(path: string): Promise<void> {
  const url = new URL(path, window.location.origin);
  const params = matchRoutes([...(router?.routes ?? [])], url.pathname)?.at(-1)?.params ?? {};
  const here = router?.state.location;
  const modules = await modulesOf(path);
  // A reader who has gone on meanwhile has asked with the click.
  if (router?.state.location !== here || router?.state.navigation.state !== 'idle') return;
  for (const module of modules ?? []) {
    (module as { loader?: Loader }).loader?.({ request: new Request(url), params, context: isAhead });
  }
}

/** The modules of a page that has not been open yet, loaded now if they are not there; null if one cannot be loaded. */
async function modulesOf(path: string): Promise<unknown[] | null> {
  const { pathname } = new URL(path, window.location.origin);
  const modules: unknown[] = [];
  try {
    for (const { route } of matchRoutes([...(router?.routes ?? [])], pathname) ?? []) {
      if (typeof route.lazy === 'function') modules.push(await route.lazy());
    }
    return modules;
  } catch {
    return null;
  }
}

/** Not every browser tells. */
function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}

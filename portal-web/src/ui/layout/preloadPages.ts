import { useEffect } from 'react';
import { matchRoutes, type DataRouter } from 'react-router';

let routes: DataRouter['routes'] = [];

/** Names the router whose pages can be loaded before they are opened. */
export function preloadFrom(router: Pick<DataRouter, 'routes'>): void {
  ({ routes } = router);
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
        if (left || !(await preload(path))) return;
      }
    }, afterLooking);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [all]);
}

/** Whether the page's scripts are there now. */
async function preload(path: string): Promise<boolean> {
  const { pathname } = new URL(path, window.location.origin);
  try {
    for (const { route } of matchRoutes([...routes], pathname) ?? []) {
      if (typeof route.lazy === 'function') await route.lazy();
    }
    return true;
  } catch {
    return false;
  }
}

/** Not every browser tells. */
function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}

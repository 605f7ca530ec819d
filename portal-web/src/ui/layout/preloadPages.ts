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
 * Not where the reader saves data. What cannot be loaded now is loaded when it is opened.
 */
export function usePreloadedPages(paths: readonly string[]): void {
  const all = paths.join(' ');
  useEffect(() => {
    if (savesData()) return;
    let left = false;
    const timer = setTimeout(async () => {
      for (const path of all.split(' ')) if (!left) await preload(path);
    }, afterLooking);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [all]);
}

async function preload(path: string): Promise<void> {
  const { pathname } = new URL(path, window.location.origin);
  for (const { route } of matchRoutes([...routes], pathname) ?? []) {
    if (typeof route.lazy === 'function') await route.lazy().catch(() => {});
  }
}

/** Not every browser tells. */
function savesData(): boolean {
  return (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
}

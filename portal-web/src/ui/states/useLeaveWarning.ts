import { useEffect } from 'react';

/** The state of a navigation that asks nothing: the reader has already given up what they have typed. */
export const givenUp = { givenUp: true } as const;

/** While `active`, the browser asks before it reloads or closes the page: something on it exists nowhere else. */
export function useLeaveWarning(active: boolean): void {
  useEffect(() => {
    if (!active) return;
    const warn = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', warn);
    return () => window.removeEventListener('beforeunload', warn);
  }, [active]);
}

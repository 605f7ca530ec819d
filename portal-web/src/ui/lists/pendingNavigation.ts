import { useCallback } from 'react';
import { useLocation, useNavigation, type DataRouter } from 'react-router';

let router: Pick<DataRouter, 'state'> | null = null;

/** Names the router whose reader may be leaving a page. */
export function followNavigation(followed: Pick<DataRouter, 'state'>): void {
  router = followed;
}

/**
 * Tells an effect that navigates by itself whether the reader is leaving this page, since its navigation would bring them back: they wait for
 * another page, or the address has changed and the page has not been drawn yet. Hooks say so only after the next render, the router at once.
 * It is another function whenever the answer may have changed, so that the effect runs again.
 */
export function useIsLeaving(): () => boolean {
  const { key } = useLocation();
  const { state } = useNavigation();
  return useCallback(
    () => state !== 'idle' || (router !== null && (router.state.navigation.state !== 'idle' || router.state.location.key !== key)),
    [key, state],
  );
}

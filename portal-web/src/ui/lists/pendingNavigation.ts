import type { DataRouter } from 'react-router';

let pending = false;

/** Watches a router, to know when the reader is leaving a page and the next one cannot be shown yet. */
export function followNavigation({ subscribe }: Pick<DataRouter, 'subscribe'>): void {
  subscribe(({ navigation }) => {
    pending = navigation.state !== 'idle';
  });
}

/** Whether the reader is waiting for another page at this moment. `useNavigation` says so only after the next render. */
export function isNavigationPending(): boolean {
  return pending;
}

import type { DataRouter } from 'react-router';

let pending = false;

/** Follows a router from the moment that somebody leaves a page until the next one can be shown. */
export function followNavigation({ subscribe }: Pick<DataRouter, 'subscribe'>): void {
  subscribe(({ navigation }) => {
    pending = navigation.state !== 'idle';
  });
}

/** Whether somebody waits for another page at this moment. React tells it with `useNavigation` only once it has rendered it. */
export function isNavigationPending(): boolean {
  return pending;
}

import { useEffect, useEffectEvent } from 'react';
import { useClient } from 'urql';
import { askForFirstPage } from './firstPage.ts';

/** Stands beside the router, which shows nothing of a page before its script is there. */
export function FirstPage() {
  const client = useClient();
  const ask = useEffectEvent(() => askForFirstPage(client));
  // Once: a later session, which has a client of its own, begins on a page that is already shown.
  useEffect(() => ask(), []);
  return null;
}

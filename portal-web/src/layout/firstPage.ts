import { matchPath } from 'react-router';
import type { Client } from 'urql';
import { inboxCountQuery } from '../features/attention/inboxCountQuery.ts';
import { integrationQuery } from '../features/integration/integrationQuery.ts';
import { askAhead } from '../graphql/client.ts';
import { serviceQuery } from '../graphql/serviceQuery.ts';

let forgets: readonly (() => void)[] = [];

/**
 * Asks, together with the session, for what the frame of the first page will ask for once the session is known: whoever opens a page waits for one answer
 * instead of two.
 */
export function askForFirstPage(client: Client): void {
  const { slug } = matchPath('/integrations/:slug/*', window.location.pathname)?.params ?? {};
  forgets = [
    askAhead(client, inboxCountQuery, {}),
    askAhead(client, serviceQuery, {}),
    ...(slug && slug !== 'new' ? [askAhead(client, integrationQuery, { slug })] : []),
  ];
}

/** Forgets what the first page has not asked for, once it is shown: no other page may get it. */
export function forgetFirstPage(): void {
  for (const forget of forgets) forget();
  forgets = [];
}

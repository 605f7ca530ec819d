import { matchPath } from 'react-router';
import type { Client } from 'urql';
import { inboxCountQuery } from '../features/attention/inboxCountQuery.ts';
import { integrationQuery } from '../features/integration/integrationQuery.ts';
import { askForFirstOverview } from '../features/overview/firstOverview.ts';
import { viewerQuery } from '../features/session/viewerQuery.ts';
import { askAhead } from '../graphql/client.ts';
import { serviceQuery } from '../graphql/serviceQuery.ts';

let forgets: readonly (() => void)[] = [];

/**
 * Asks for the session, and for what the frame of the first page and an overview in it will ask for once the session is known, before the scripts of
 * the page are there: whoever opens a page waits for one answer, and for the scripts meanwhile.
 */
export function askForFirstPage(client: Client): void {
  const { pathname } = window.location;
  const { slug, '*': tab } = matchPath('/integrations/:slug/*', pathname)?.params ?? {};
  const isIntegration = slug !== undefined && slug !== 'new';
  forgets = [
    askAhead(client, viewerQuery, {}),
    askAhead(client, inboxCountQuery, {}),
    askAhead(client, serviceQuery, {}),
    ...(isIntegration ? [askAhead(client, integrationQuery, { slug })] : []),
  ];
  if (isIntegration && tab === '') askForFirstOverview(client, slug);
}

/** Forgets what the first page has not asked for, once it is shown: no other page may get it. */
export function forgetFirstPage(): void {
  for (const forget of forgets) forget();
  forgets = [];
}

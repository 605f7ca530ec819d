import { matchPath } from 'react-router';
import type { Client } from 'urql';
import { inboxCountQuery } from '../features/attention/inboxCountQuery.ts';
import { integrationQuery } from '../features/integration/integrationQuery.ts';
import { firstHome, homeQuery } from '../features/attention/homeQuery.ts';
import { overviewQuery } from '../features/overview/overviewQuery.ts';
import { viewerQuery } from '../features/session/viewerQuery.ts';
import { askAhead } from '../graphql/client.ts';
import { askForFirstPageItself } from '../graphql/firstPageQuestion.ts';
import { paths } from '../paths.ts';
import { serviceQuery } from '../graphql/serviceQuery.ts';

let forgets: readonly (() => void)[] = [];

/**
 * Asks for the session, and for what the frame of the first page will ask for once the session is known, before the scripts of the page are there:
 * whoever opens a page waits for one answer, and for the scripts meanwhile. The home page and an overview are asked for, too.
 */
export function askForFirstPage(client: Client): void {
  const { pathname, search } = window.location;
  const { slug, '*': tab } = matchPath('/integrations/:slug/*', pathname)?.params ?? {};
  const isIntegration = slug !== undefined && slug !== 'new';
  forgets = [
    askAhead(client, viewerQuery, {}),
    askAhead(client, inboxCountQuery, {}),
    askAhead(client, serviceQuery, {}),
    ...(isIntegration ? [askAhead(client, integrationQuery, { slug })] : []),
  ];
  if (isIntegration && tab === '') askForFirstPageItself(client, overviewQuery, { slug });
  if (pathname === paths.integrations && search === '') askForFirstPageItself(client, homeQuery, firstHome);
}

/** Forgets what the first page has not asked for, once it is shown: no other page may get it. */
export function forgetFirstPage(): void {
  for (const forget of forgets) forget();
  forgets = [];
}

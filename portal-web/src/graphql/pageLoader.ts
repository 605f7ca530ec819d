import type { LoaderFunction, Params } from 'react-router';
import { integrationIn, pages } from '../paths.ts';
import { ownersViewClient, sessionClient, type PortalClient } from './client.ts';

/** What a loader knows of the page that the reader opens. */
export type OpenedPage = Omit<PortalClient, 'askAhead'> & {
  readonly params: Params;
  readonly url: URL;
  /** Whether the address asks for nothing but the page: no filter, no place in a list. What narrows a list is for the list to ask. */
  readonly plain: boolean;
  /** Whether the reader is only about to open it. */
  readonly ahead: boolean;
};

/** The context in which a loader is run before its page is opened. */
export const isAhead = Symbol('before the page is opened');

/**
 * A route's loader: it asks for what the page will read, with the click or before, and does not wait for the answer. The page itself shows that
 * it is loading, what was read before, or why it cannot be read, and asks for whatever its loader did not ask for.
 */
export function pageLoader(ask: (page: OpenedPage) => void | Promise<void>): LoaderFunction {
  return ({ request, params, context }) => {
    const url = new URL(request.url);
    const integration = integrationIn(url.pathname);
    const isOwnersView = integration?.at === pages.adminIntegration && integration.tab.length > 1;
    const plain = [...url.searchParams.keys()].every((name) => name === 'environment');
    const portal = isOwnersView ? ownersViewClient(integration.slug) : sessionClient();
    const ahead = context === isAhead;
    void ask({ client: portal.client, ask: ahead ? portal.askAhead : portal.ask, ahead, params, url, plain });
    return null;
  };
}

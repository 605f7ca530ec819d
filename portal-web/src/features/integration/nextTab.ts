import type { AnyVariables, TypedDocumentNode } from 'urql';
import { askBefore } from '../../graphql/client.ts';
import type { AskForPage } from '../../ui/layout/preloadPages.ts';
import type { Environment } from './environmentsOf.ts';
import { integrationQuery, type Client, type Integration } from './integrationQuery.ts';

/** What is known about a tab that the reader is about to open. */
export type NextTab = { readonly integration: Integration; readonly environment: Environment };

/** What a tab's module exports as `ask`: it asks for what the tab reads first, and for the integration, which is read again with each tab. */
export function askForTab<Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variablesOf: (tab: NextTab) => Variables,
): AskForPage<NextTab> {
  return (client, tab) => {
    askBefore(client, query, variablesOf(tab));
    askBefore(client, integrationQuery, { slug: tab.integration.slug });
  };
}

/** The same for a tab that is about one client. Nothing is asked where there is none. */
export function askForClientsTab<Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variablesOf: (slug: string, of: Client) => Variables,
): AskForPage<NextTab> {
  return (client, tab) => {
    const of = tab.integration.clients.find(({ environment }) => environment === tab.environment);
    if (of) askForTab(query, () => variablesOf(tab.integration.slug, of))(client, tab);
  };
}

import type { AskForPage } from '../../ui/layout/preloadPages.ts';
import type { Environment } from './environmentsOf.ts';
import type { Client, Integration } from './integrationQuery.ts';

/** What is known about a tab that the reader is about to open. */
export type NextTab = { readonly integration: Integration; readonly environment: Environment };

/** What a tab's module exports as `ask` if the tab is about one client. */
export function askOfClient(ask: (...[client, slug, of]: [...Parameters<AskForPage<string>>, Client]) => void): AskForPage<NextTab> {
  return (client, { integration, environment }) => {
    const of = integration.clients.find((each) => each.environment === environment);
    if (of) ask(client, integration.slug, of);
  };
}

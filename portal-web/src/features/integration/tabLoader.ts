import type { LoaderFunction } from 'react-router';
import type { AnyVariables, TypedDocumentNode } from 'urql';
import { pageLoader, type OpenedPage } from '../../graphql/pageLoader.ts';
import { environmentsOf, shownEnvironment } from './environmentsOf.ts';
import { integrationQuery, type Client, type Integration } from './integrationQuery.ts';

/** The loader of a tab: it asks for what the tab reads first, and ahead of the click for the integration, too, which is read again with each tab. */
export function tabLoader(ask: (page: OpenedPage & { readonly slug: string }) => void | Promise<void>): LoaderFunction {
  return pageLoader((page) => {
    const { slug = '' } = page.params;
    if (page.ahead) page.ask(integrationQuery, { slug });
    return ask({ ...page, slug });
  });
}

/** The same for a tab that is about the client of the environment which the address names. A client that does not exist is asked nothing. */
export function clientsTabLoader<Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variablesOf: (slug: string, of: Client) => Variables,
): LoaderFunction {
  return tabLoader(async (page) => {
    if (!page.plain) return;
    const integration = await integrationOf(page);
    if (!integration) return;
    const shown = shownEnvironment(environmentsOf(integration), page.url.searchParams.get('environment'));
    const of = integration.clients.find(({ environment }) => environment === shown);
    if (of) page.ask(query, variablesOf(page.slug, of));
  });
}

/** The integration as it is remembered, even if it is being read again, or else as it is answered. */
export async function integrationOf({ client, slug }: { client: OpenedPage['client']; slug: string }): Promise<Integration | null> {
  const known = client.readQuery(integrationQuery, { slug }, { requestPolicy: 'cache-only' })?.data;
  const { data } = known ? { data: known } : await client.query(integrationQuery, { slug }).toPromise();
  return data?.integration ?? null;
}

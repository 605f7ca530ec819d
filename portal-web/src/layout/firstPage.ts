import { firstHome, homeQuery } from '../pages/integration/home/homeQuery.ts';
import { integrationFragment, integrationQuery } from '../features/integration/integrationQuery.ts';
import { tabLoader } from '../features/integration/tabLoader.ts';
import { overviewQuery } from '../pages/integration/overview/overviewQuery.ts';
import { frameFragment, frameQuery } from '../graphql/frameQuery.ts';
import { graphql } from '../graphql/graphql.ts';
import { pageLoader } from '../graphql/pageLoader.ts';
import { share } from '../graphql/questions.ts';
import { integrationIn, pages } from '../paths.ts';
import { loadSignedInHeader } from './loadSignedInHeader.ts';

const integrationsFrameQuery = graphql(
  `
    query IntegrationsFrame($slug: String!) {
      ...FrameFacts
      integration(slug: $slug) {
        ...IntegrationFacts
      }
    }
  `,
  [frameFragment, integrationFragment],
);

// These loaders come with the first script: what they ask for is on its way while the scripts of the page are.

/** Asks for what surrounds the first page, with the integration whose tab it is. */
export const frameLoader = pageLoader(({ ask, url: { pathname } }) => {
  const { at, slug } = integrationIn(pathname) ?? {};
  if (at !== pages.integration || slug === undefined) return ask(frameQuery, {});
  ask(
    integrationsFrameQuery,
    { slug },
    share(frameQuery, {}, ({ viewer, service }) => ({ viewer, service })),
    share(integrationQuery, { slug }, ({ integration }) => ({ integration })),
  );
});

/** Asks for the rest of the header. If it cannot be loaded now, the header asks again and says so. */
export function signedInHeaderLoader(): null {
  loadSignedInHeader().catch(() => undefined);
  return null;
}

/** Asks for the integration with each of its tabs: reviewers and administrators can also change it. */
export const integrationLoader = pageLoader(({ ask, params: { slug = '' } }) => ask(integrationQuery, { slug }));

export const overviewLoader = tabLoader(({ ask, slug }) => ask(overviewQuery, { slug }));

export const homeLoader = pageLoader(({ ask, url: { search } }) => {
  if (search === '') ask(homeQuery, firstHome);
});

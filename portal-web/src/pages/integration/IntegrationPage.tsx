import { useCallback, useEffect, useMemo, useRef } from 'react';
import { Outlet, useLocation, useParams } from 'react-router';
import { useClient, useQuery } from 'urql';
import { HealthNotice } from '../../features/attention/HealthNotice.tsx';
import { IntegrationFrame } from '../../features/integration/IntegrationFrame.tsx';
import { integrationQuery, isChanging } from '../../features/integration/integrationQuery.ts';
import type { NextTab } from '../../features/integration/nextTab.ts';
import type { IntegrationContext } from '../../features/integration/useIntegration.ts';
import { reread } from '../../graphql/client.ts';
import { serviceQuery } from '../../graphql/serviceQuery.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { askForPage } from '../../ui/layout/preloadPages.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';

/** Reads the integration that its tabs show, and frames them. */
export function Component() {
  const { slug = '' } = useParams();
  const client = useClient();
  const [facts] = useQuery({ query: serviceQuery });
  const [result, read] = usePolledQuery({
    query: integrationQuery,
    variables: { slug },
    whileTrue: ({ integration }) => isChanging(integration),
    context: fresh,
  });
  // The function stays the same while the address does. The tabs call it in effects, and each call renders this page again.
  const readAgain = useCallback(() => read({ requestPolicy: 'network-only' }), [read]);
  useRereadOnNextTab(slug);
  const integration = result.data?.integration.slug === slug ? result.data.integration : undefined;
  const service = facts.data?.service;
  // Whatever the tab reads from here, it reads again only when it has changed.
  const context = useMemo(
    () => integration && service && ({ integration, service, reread: readAgain } satisfies IntegrationContext),
    [integration, service, readAgain],
  );
  return (
    <Loaded result={{ data: context, error: result.error ?? facts.error }} onRetry={readAgain}>
      {(shown) => (
        <IntegrationFrame
          integration={shown.integration}
          notice={<HealthNotice integration={shown.integration} />}
          onNearTab={(path, environment) =>
            void askForPage(path, client, { integration: shown.integration, environment } satisfies NextTab)
          }
        >
          <Outlet context={shown} />
        </IntegrationFrame>
      )}
    </Loaded>
  );
}

const fresh = { requestPolicy: 'cache-and-network' } as const;

/** Reviewers and administrators can also change an integration, so it is read again whenever the reader opens another tab. */
function useRereadOnNextTab(slug: string): void {
  const client = useClient();
  const { pathname } = useLocation();
  const last = useRef(pathname);
  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    // Not by way of this page's state, so that it is asked in the same tick as what the tab asks.
    reread(client, integrationQuery, { slug });
  }, [pathname, slug, client]);
}

import { useCallback, useMemo } from 'react';
import { Outlet, useParams } from 'react-router';
import { HealthNotice } from '../../features/attention/HealthNotice.tsx';
import { IntegrationFrame } from '../../features/integration/IntegrationFrame.tsx';
import { integrationQuery, isChanging } from '../../features/integration/integrationQuery.ts';
import type { IntegrationContext } from '../../features/integration/useIntegration.ts';
import { useFrame } from '../../graphql/useFrame.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { askForPage } from '../../ui/layout/preloadPages.ts';
import { Loaded } from '../../ui/states/Loaded.tsx';

/** Reads the integration that its tabs show, and frames them. */
export function Component() {
  const { slug = '' } = useParams();
  const [facts] = useFrame();
  const [result, read] = usePolledQuery({
    query: integrationQuery,
    variables: { slug },
    whileTrue: ({ integration }) => isChanging(integration),
    context: fresh,
  });
  // The function stays the same while the address does. The tabs call it in effects, and each call renders this page again.
  const readAgain = useCallback(() => read({ requestPolicy: 'network-only' }), [read]);
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
          onNearTab={(path) => void askForPage(path)}
        >
          <Outlet context={shown} />
        </IntegrationFrame>
      )}
    </Loaded>
  );
}

const fresh = { requestPolicy: 'cache-and-network' } as const;

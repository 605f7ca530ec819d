import { useCallback, useMemo } from 'react';
import { Outlet, useLocation, useParams } from 'react-router';
import classes from './HealthNotice.module.css';
import { StatusLine } from '../../../features/attention/StatusLine.tsx';
import { useEnvironment } from '../../../features/integration/environment.ts';
import { IntegrationFrame } from '../../../features/integration/IntegrationFrame.tsx';
import { type Integration, integrationQuery, isChanging } from '../../../features/integration/integrationQuery.ts';
import { useIntegrationPaths } from '../../../features/integration/ownerView.ts';
import type { IntegrationContext } from '../../../features/integration/useIntegration.ts';
import { useFrame } from '../../../graphql/useFrame.ts';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { isAtPath } from '../../../ui/layout/isAtPath.ts';
import { askForPage } from '../../../ui/layout/preloadPages.ts';
import { Loaded } from '../../../ui/states/Loaded.tsx';

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

/** How the integration is in the environment that the tab is about, unless it is new or all is well. The overview says it of both. */
function HealthNotice({ integration }: { integration: Pick<Integration, 'sandbox' | 'production' | 'clients'> }) {
  const { pathname } = useLocation();
  const [environment] = useEnvironment();
  const to = useIntegrationPaths();
  const isAt = (path: string) => isAtPath(pathname, path);
  const retired = integration.sandbox.level === 'retired';
  const inProduction = integration.clients.some((client) => client.environment === 'production');
  // What outlives a retirement is due in production, if the integration was ever there.
  const outlived = inProduction ? 'production' : 'sandbox';
  const about = retired ? outlived : isAt(to.production()) ? 'production' : isAt(to.sandbox()) ? 'sandbox' : environment;
  const health = integration[about];
  if (isAt(to.overview()) || health.level === 'new' || health.level === 'healthy') return null;
  return (
    <div className={classes.notice}>
      <StatusLine health={health} />
    </div>
  );
}

import { memo, useCallback, useDeferredValue, useEffect, useMemo, useState } from 'react';
import { Outlet, useLocation, useParams } from 'react-router';
import classes from './HealthNotice.module.css';
import { tabPath } from '../../../features/attention/actPath.ts';
import { toldOnTab } from '../../../features/attention/healthWords.ts';
import { StatusLine } from '../../../features/attention/StatusLine.tsx';
import { useEnvironment } from '../../../features/integration/environment.ts';
import { IntegrationFrame } from '../../../features/integration/IntegrationFrame.tsx';
import type { Environment } from '../../../features/integration/environmentsOf.ts';
import { type Integration, integrationQuery, isChanging } from '../../../features/integration/integrationQuery.ts';
import { ObjectEnvironmentContext } from '../../../features/integration/ObjectEnvironment.tsx';
import { useIntegrationPaths } from '../../../features/integration/ownerView.ts';
import type { IntegrationContext } from '../../../features/integration/useIntegration.ts';
import { background, onChanged } from '../../../graphql/client.ts';
import { useFrame } from '../../../graphql/useFrame.ts';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { isAtPath, pathnameOf } from '../../../ui/layout/isAtPath.ts';
import { askForPage } from '../../../ui/layout/preloadPages.ts';
import { Loaded } from '../../../ui/states/Loaded.tsx';

/** Reads the integration that its tabs show, and frames them. */
export function Component() {
  const { slug = '' } = useParams();
  const [facts] = useFrame();
  const [answered, read] = usePolledQuery({
    query: integrationQuery,
    variables: { slug },
    // How the integration is changes by itself, and so does the time at which that was read.
    whileTrue: () => true,
    every: ({ integration }) => (isChanging(integration) ? soon : later),
    context: fresh,
  });
  // The reader may be on the way to another tab. That is not begun again for an answer about the integration. The answer itself cannot be put off in a
  // transition of React's: urql asks while its state is computed, which React then does again and again.
  const result = useDeferredValue(answered);
  // The function stays the same while the address does. The tabs call it in effects, and each call renders this page again.
  const readAgain = useCallback(() => read({ requestPolicy: 'network-only' }), [read]);
  // What the reader has changed shows in the frame as soon as on the tab.
  useEffect(() => onChanged(() => read(background)), [read]);
  const integration = result.data?.integration.slug === slug ? result.data.integration : undefined;
  const service = facts.data?.service;
  // Whatever the tab reads from here, it reads again only when it has changed.
  const context = useMemo(
    () => integration && service && ({ integration, service, reread: readAgain } satisfies IntegrationContext),
    [integration, service, readAgain],
  );
  return (
    <Loaded whole result={{ data: context, error: result.error ?? facts.error }} onRetry={readAgain}>
      {(shown) => <Framed shown={shown} />}
    </Loaded>
  );
}

/** The frame with the tab in it. It is rendered again where what it shows has changed, and not with each step of a navigation. */
const Framed = memo(function Framed({ shown }: { shown: IntegrationContext }) {
  const [shows, setShows] = useState<Environment | null>(null);
  return (
    <IntegrationFrame
      integration={shown.integration}
      notice={<HealthNotice integration={shown.integration} shows={shows} />}
      onNearTab={(path) => void askForPage(path)}
    >
      <ObjectEnvironmentContext value={setShows}>
        <Outlet context={shown} />
      </ObjectEnvironmentContext>
    </IntegrationFrame>
  );
});

const fresh = { requestPolicy: 'cache-and-network' } as const;
const soon = 1_500;
const later = 60_000;

type HealthNoticeProps = {
  integration: Pick<Integration, 'sandbox' | 'production' | 'clients'>;
  /** The environment of the one object that the tab shows, once it is known. */
  shows: Environment | null;
};

/** How the integration is in the environment that the tab is about, apart from what the tab says itself. The overview says it of both. */
function HealthNotice({ integration, shows }: HealthNoticeProps) {
  const { pathname } = useLocation();
  const [environment] = useEnvironment();
  const to = useIntegrationPaths();
  const isAt = (path: string) => isAtPath(pathname, path);
  const retired = integration.sandbox.level === 'retired';
  const inProduction = integration.clients.some((client) => client.environment === 'production');
  // What outlives a retirement is due in production, if the integration was ever there.
  const outlived = inProduction ? 'production' : 'sandbox';
  // An endpoint and what was sent to it are of one environment.
  if (!retired && shows === null && pathname.startsWith(`${pathnameOf(to.webhooks())}/`)) return null;
  const about = retired ? outlived : (shows ?? (isAt(to.production()) ? 'production' : isAt(to.sandbox()) ? 'sandbox' : environment));
  const health = integration[about];
  if (isAt(to.overview())) return null;
  // The list of endpoints has a card for each, with what is done about it.
  const listed = isAt(to.webhooks());
  const told = toldOnTab(health, {
    isHere: (act) => isAt(tabPath(act, to)) || (listed && act.page === 'webhookEndpoint'),
    steps: isAt(to.production()),
  });
  return (
    told && (
      <div className={classes.notice}>
        <StatusLine health={health} told={told} />
      </div>
    )
  );
}

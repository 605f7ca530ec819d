import { useLocation } from 'react-router';
import { useEnvironment } from '../integration/environment.ts';
import type { Integration } from '../integration/integrationQuery.ts';
import { isAtPath } from '../../ui/layout/isAtPath.ts';
import { useIntegrationPaths } from '../integration/ownerView.ts';
import classes from './HealthNotice.module.css';
import { StatusLine } from './StatusLine.tsx';

/** How the integration is in the environment that the tab is about, unless it is new or all is well. The overview says it of both. */
export function HealthNotice({ integration }: { integration: Pick<Integration, 'sandbox' | 'production' | 'clients'> }) {
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

import { useLocation } from 'react-router';
import { useEnvironment } from '../integration/environment.ts';
import type { Integration } from '../integration/integrationQuery.ts';
import { useIntegrationPaths } from '../integration/ownerView.ts';
import classes from './HealthNotice.module.css';
import { StatusLine } from './StatusLine.tsx';

/** How the integration is in the environment that the tab shows, unless it is new or all is well. The overview says it of both. */
export function HealthNotice({ integration }: { integration: Pick<Integration, 'sandbox' | 'production'> }) {
  const { pathname } = useLocation();
  const [environment] = useEnvironment();
  const [overview] = useIntegrationPaths().overview().split('?');
  const health = integration[environment];
  if (pathname.replace(/\/$/, '') === overview || health.level === 'new' || health.level === 'healthy') return null;
  return (
    <div className={classes.notice}>
      <StatusLine health={health} />
    </div>
  );
}

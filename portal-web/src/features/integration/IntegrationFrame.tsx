import { type ReactNode, useMemo } from 'react';
import { useLocation } from 'react-router';
import { integrationFacts } from '../../../../server/domain/integration/integrationFacts.ts';
import { EnvironmentSwitch } from '../../ui/forms/EnvironmentSwitch.tsx';
import { PageHeader } from '../../ui/layout/PageHeader.tsx';
import { currentTab, TabNav } from '../../ui/layout/TabNav.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { EnvironmentContext, useEnvironment, useEnvironmentInAddress } from './environment.ts';
import { environmentsOf } from './environmentsOf.ts';
import classes from './IntegrationFrame.module.css';
import type { Integration } from './integrationQuery.ts';
import { useIntegrationPaths } from './ownerView.ts';
import { tabWords } from './tabWords.ts';
import { useIntegrationActs } from './useIntegrationActs.ts';

type Shown = Pick<Integration, 'status'> & {
  readonly phases: Integration['phases'];
  readonly profile: Pick<Integration['profile'], 'publicName'>;
  readonly clients: readonly Pick<Integration['clients'][number], 'id' | 'environment'>[];
  readonly latestSteps: readonly Pick<Integration['latestSteps'][number], 'step'>[];
};
type IntegrationFrameProps = {
  integration: Shown;
  /** What the reader can do with the integration as a whole. */
  actions?: ReactNode;
  /** What every tab begins with. */
  notice?: ReactNode;
  /** Called when the reader is about to open the tab at this path. */
  onNearTab?: (path: string) => void;
  /** The tab. */
  children: ReactNode;
};

/** What the tabs of one integration have in common: its name, its status, the environment that they show, and the way to the others. */
export function IntegrationFrame({ integration, ...parts }: IntegrationFrameProps) {
  const { usual, several } = environmentsOf(integration);
  // The same object while it says the same: the whole tab depends on it, and the frame is rendered again with each step of a navigation.
  const environments = useMemo(() => ({ usual, several }), [usual, several]);
  useEnvironmentInAddress(environments);
  return (
    <EnvironmentContext value={environments}>
      <Head {...{ integration, ...parts }} />
      {parts.notice}
      {parts.children}
    </EnvironmentContext>
  );
}

function Head({ integration: { status, phases, profile, clients }, actions, onNearTab }: IntegrationFrameProps) {
  const badge = integrationFacts[status];
  const { pathname } = useLocation();
  const [environment, changeEnvironment] = useEnvironment();
  const tabs = useTabs();
  const current = currentTab(tabs, pathname) ?? tabs[0];
  useIntegrationActs({ phases, clients, changeEnvironment: current.environments ? changeEnvironment : null });
  return (
    <div className={classes.head}>
      <PageHeader
        title={profile.publicName}
        documentTitle={current.word === tabWords.overview ? profile.publicName : `${current.word} · ${profile.publicName}`}
        marks={<StatusBadge tone={badge.tone}>{badge.word}</StatusBadge>}
        actions={actions}
      />
      {current.environments && (
        <EnvironmentSwitch className={classes.environment} clients={clients} value={environment} onChange={changeEnvironment} />
      )}
      <TabNav className={classes.tabs} label="Integration" tabs={tabs} onNear={onNearTab} />
    </div>
  );
}

/** The pages of one integration, in the order of their tabs. `environments`: whether the page shows one environment at a time. */
function useTabs() {
  const to = useIntegrationPaths();
  return [
    { word: tabWords.overview, path: to.overview(), environments: true },
    { word: tabWords.requests, path: to.requests(), environments: true },
    { word: tabWords.webhooks, path: to.webhooks(), environments: false },
    { word: tabWords.certificates, path: to.certificates(), environments: true },
    { word: tabWords.deletions, path: to.deletions(), environments: true },
    { word: tabWords.sandbox, path: to.sandbox(), environments: false },
    { word: tabWords.production, path: to.production(), environments: false },
    { word: tabWords.profile, path: to.profile(), environments: false },
  ] as const;
}

import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { Facts } from '../../ui/values/Facts.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { quotaWords } from '../administration/quotaWords.ts';
import type { Client } from './integrationQuery.ts';
import { ScopeList } from './ScopeList.tsx';
import type { Service } from './useIntegration.ts';

/** The client of one environment: the names that its certificates need, its scopes and quota. */
export function ClientPanel({ client, limits, slug }: { client: Client; limits: Service['limits']; slug: string }) {
  return (
    <Panel title="Client" name={`Client, ${client.environment}`} marks={<EnvironmentTag environment={client.environment} />}>
      <Facts
        facts={[
          ['Last request', <LastRequest key="request" client={client} slug={slug} />],
          ['Last sync', client.lastSyncAt ? <RelativeTime key="sync" value={client.lastSyncAt} /> : 'Never'],
          ['Client ID', <CopyableCode key="id" value={client.id} label="the client ID" />],
          ['Common name for the CSR', <CopyableCode key="cn" value={client.commonName} label="the common name" />],
          ['Scopes', <ScopeList key="scopes" scopes={client.scopes} />],
          ...(client.quotaOverrides.length > 0 ? [['Overrides', <Overrides key="overrides" client={client} />] as const] : []),
          [
            client.quotaOverrides.length > 0 ? 'Baseline quota' : 'Quota',
            `${limits.requestsPerHour} requests per hour, ${limits.requestsPerMinute} per minute, ${limits.concurrentRequests} at a time; poll every ${limits.pollingMinutes} minutes`,
          ],
        ]}
      />
    </Panel>
  );
}

function Overrides({ client: { quotaOverrides } }: { client: Client }) {
  return (
    <>
      {quotaOverrides.map(({ quota, value, expiresAt }) => (
        <div key={quota}>
          {quotaWords[quota]}: {value.toLocaleString('en')}
          {expiresAt && (
            <>
              , ends <RelativeTime value={expiresAt} />
            </>
          )}
        </div>
      ))}
    </>
  );
}

function LastRequest({ client: { lastRequestAt, environment }, slug }: { client: Client; slug: string }) {
  if (!lastRequestAt) return 'Never';
  return (
    <>
      <RelativeTime value={lastRequestAt} />,{' '}
      <Anchor component={Link} to={paths.requests(slug, environment)} inherit>
        all requests
      </Anchor>
    </>
  );
}

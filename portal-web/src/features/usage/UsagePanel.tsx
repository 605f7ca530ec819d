import { SegmentedControl, Stack } from '@mantine/core';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import type { Client } from '../integration/integrationQuery.ts';
import { QuotaMeters } from './QuotaMeters.tsx';
import { RequestsChart } from './RequestsChart.tsx';
import { SyncFacts } from './SyncFacts.tsx';
import { usageQuery } from './usageQueries.ts';
import { HourTable, OperationTable } from './UsageTables.tsx';

type Period = 'day' | 'week';
type UsagePanelProps = {
  client: Client;
  /** Whether the integration is retired, so that quotas no longer matter. */
  retired: boolean;
  period: Period;
  live: boolean;
  onPeriod: (period: Period) => void;
};

/** The quotas that are left now, and the client's requests in the period. */
export function UsagePanel({ client, retired, period, live, onPeriod }: UsagePanelProps) {
  const [result, read] = usePolledQuery({
    query: usageQuery,
    variables: { clientId: client.id, period },
    whileTrue: () => live,
    every: 5000,
  });
  return (
    <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
      {({ usage }) => (
        <>
          {!retired && (
            <Panel
              title="Quota left"
              lead="Shared by all certificates of this client. A request counts against all of its limits or none."
              marks={<EnvironmentTag environment={client.environment} />}
            >
              <QuotaMeters quotas={usage.quotas} />
            </Panel>
          )}
          <Panel
            title="Requests per hour"
            marks={
              <>
                <EnvironmentTag environment={client.environment} />
                <SegmentedControl
                  aria-label="Period"
                  size="xs"
                  data={[
                    { value: 'day', label: '24 hours' },
                    { value: 'week', label: '7 days' },
                  ]}
                  value={period}
                  onChange={(value) => onPeriod(value === 'week' ? 'week' : 'day')}
                />
              </>
            }
          >
            <Stack gap="md">
              <RequestsChart usage={usage} />
              {usage.counts.length > 0 && (
                <div>
                  <HourTable counts={usage.counts} />
                  <OperationTable counts={usage.counts} />
                </div>
              )}
              <SyncFacts usage={usage} />
            </Stack>
          </Panel>
        </>
      )}
    </Loaded>
  );
}

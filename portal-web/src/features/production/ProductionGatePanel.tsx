import { Text } from '@mantine/core';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { Facts } from '../../ui/values/Facts.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import type { Integration } from '../integration/integrationQuery.ts';
import { productionDataWords } from './productionDataWords.ts';

/** Shows the owner whether production data flows. Shows nothing before an approval. */
export function ProductionGatePanel({ integration }: { integration: Integration }) {
  const { productionGate, reviewedProfileVersion } = integration;
  if (reviewedProfileVersion === null) return null;
  const data = productionDataWords(integration);
  return (
    <Panel
      title="Production gates"
      marks={<EnvironmentTag environment="production" />}
      lead="Administrators open and close them, one for the whole service and one for each integration. Approval, activation and suspension do not change them."
    >
      <Facts
        facts={[
          [
            'This integration',
            <div key="integration">
              <StatusBadge tone={productionGate.open ? 'good' : 'stopped'}>{productionGate.open ? 'Open' : 'Closed'}</StatusBadge>
              {productionGate.changedAt && (
                <Text size="sm" c="dimmed" component="div" mt={4} style={{ overflowWrap: 'anywhere' }}>
                  <Time value={productionGate.changedAt} />
                  {productionGate.reason && <>. Reason: {productionGate.reason}</>}
                </Text>
              )}
            </div>,
          ],
          [
            'Production data',
            <div key="data">
              <StatusBadge tone={data.tone}>{data.word}</StatusBadge>
              <Text size="sm" c="dimmed" mt={4}>
                {data.text}
              </Text>
            </div>,
          ],
        ]}
      />
    </Panel>
  );
}

import { Text } from '@mantine/core';
import { EnvironmentTag } from '../../ui/EnvironmentTag.tsx';
import { Facts } from '../../ui/Facts.tsx';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import type { Integration } from '../integration/integrationQuery.ts';

/** Whether production data flows, as its owner sees it. Nothing before an approval. */
export function ProductionGatePanel({ integration }: { integration: Integration }) {
  const { productionGate, productionDataEnabled, reviewedProfileVersion } = integration;
  if (reviewedProfileVersion === null) return null;
  return (
    <Panel
      title="Production gate"
      marks={<EnvironmentTag environment="production" />}
      lead="Administrators open and close it, for the whole service and for each integration. Approval, activation and suspension do not change it."
    >
      <Facts
        facts={[
          [
            'This integration',
            <div key="integration">
              <StatusBadge tone={productionGate.open ? 'good' : 'stopped'}>{productionGate.open ? 'Open' : 'Closed'}</StatusBadge>
              {productionGate.changedAt && (
                <Text size="sm" c="dimmed" component="div" mt={4} style={{ overflowWrap: 'anywhere' }}>
                  <RelativeTime value={productionGate.changedAt} />: {productionGate.reason}
                </Text>
              )}
            </div>,
          ],
          [
            'Production data',
            <div key="data">
              <StatusBadge tone={productionDataEnabled ? 'good' : 'waiting'}>
                {productionDataEnabled ? 'Enabled' : 'Not enabled'}
              </StatusBadge>
              <Text size="sm" c="dimmed" mt={4}>
                {dataWords(productionGate.open, productionDataEnabled)}
              </Text>
            </div>,
          ],
        ]}
      />
    </Panel>
  );
}

function dataWords(open: boolean, enabled: boolean): string {
  if (enabled) return 'Both gates are open. Capabilities report production_data_enabled: true.';
  if (open) return 'The service’s gate is closed. Data requests get 403 production_data_disabled.';
  return 'Data requests get 403 production_data_disabled until the gate is open. Capabilities and acknowledgements work.';
}

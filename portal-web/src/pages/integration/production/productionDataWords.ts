import type { Integration } from '../../../features/integration/integrationQuery.ts';

type ProductionData = { word: string; tone: 'good' | 'waiting' | 'stopped'; text: string };

/** Whether production data flows, and what the machine API answers. Open gates are not enough: the integration must also be active. */
export function productionDataWords({
  phases: { production: phase },
  productionGate,
  productionDataEnabled,
}: Pick<Integration, 'phases' | 'productionDataEnabled'> & { productionGate: { open: boolean } }): ProductionData {
  if (phase === 'suspended') {
    return {
      word: 'Stopped',
      tone: 'stopped',
      text: 'The integration is suspended. Every production call returns 403 integration_suspended.',
    };
  }
  if (phase === 'over') {
    return { word: 'Stopped', tone: 'stopped', text: 'The integration is retired. Every call is refused.' };
  }
  if (phase !== 'open') {
    return {
      word: 'Not enabled',
      tone: 'waiting',
      text: 'Every production call returns 403 integration_not_active until you activate the integration.',
    };
  }
  if (productionDataEnabled) {
    return { word: 'Enabled', tone: 'good', text: 'Both gates are open. Capabilities report production_data_enabled: true.' };
  }
  const text = productionGate.open
    ? 'The service’s gate is closed. Data requests return 403 production_data_disabled.'
    : 'Data requests return 403 production_data_disabled until the gate is open. Capabilities and acknowledgements work.';
  return { word: 'Not enabled', tone: 'waiting', text };
}

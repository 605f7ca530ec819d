import { useIntegrationPaths, useReadOnly } from '../integration/ownerView.ts';
import { TabNav } from '../../ui/layout/TabNav.tsx';

/** The pages of one endpoint. Anyone who can only look has no page for trying out its receiver, so nothing is shown to them. */
export function EndpointTabs({ endpointId }: { endpointId: string }) {
  const to = useIntegrationPaths();
  if (useReadOnly()) return null;
  return (
    <TabNav
      label="Endpoint"
      tabs={[
        { word: 'Deliveries', path: to.webhookEndpoint(endpointId) },
        { word: 'Test your receiver', path: to.webhookTest(endpointId) },
      ]}
    />
  );
}

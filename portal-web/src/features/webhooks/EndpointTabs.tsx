import { paths } from '../../paths.ts';
import { TabNav } from '../../ui/layout/TabNav.tsx';

/** The pages of one endpoint. */
export function EndpointTabs({ slug, endpointId }: { slug: string; endpointId: string }) {
  return (
    <TabNav
      label="Endpoint"
      tabs={[
        { word: 'Deliveries', path: paths.webhookEndpoint(slug, endpointId), end: true },
        { word: 'Test your receiver', path: paths.webhookTest(slug, endpointId) },
      ]}
    />
  );
}

import { Stack } from '@mantine/core';
import { useIntegration } from '../../features/integration/useIntegration.ts';
import { BadgePanel } from '../../features/kit/BadgePanel.tsx';
import { CreditPanel } from '../../features/kit/CreditPanel.tsx';
import { LinkingPagePanel } from '../../features/kit/LinkingPagePanel.tsx';
import { MixedSourcesPanel } from '../../features/kit/MixedSourcesPanel.tsx';

/** What operators put on their own pages: the credit, the badge and a linking page. */
export function Component() {
  const { integration, service } = useIntegration();
  return (
    <Stack gap="lg">
      <CreditPanel attribution={service.attribution} />
      <MixedSourcesPanel />
      <BadgePanel attribution={service.attribution} />
      <LinkingPagePanel profile={integration.profile} service={service} />
    </Stack>
  );
}

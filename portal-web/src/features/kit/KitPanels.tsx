import { Stack, Title } from '@mantine/core';
import type { Integration } from '../integration/integrationQuery.ts';
import type { Service } from '../integration/useIntegration.ts';
import { BadgePanel } from './BadgePanel.tsx';
import { CreditPanel } from './CreditPanel.tsx';
import { LinkingPagePanel } from './LinkingPagePanel.tsx';
import { MixedSourcesPanel } from './MixedSourcesPanel.tsx';

/** What operators put on their own pages: the credit, the badge and a linking page. */
export function KitPanels({ profile, service }: { profile: Integration['profile']; service: Service }) {
  return (
    <section id="kit" aria-labelledby="kit-title">
      <Title order={2} id="kit-title" mb="md">
        For your own pages
      </Title>
      <Stack gap="lg">
        <CreditPanel attribution={service.attribution} />
        <MixedSourcesPanel />
        <BadgePanel attribution={service.attribution} />
        <LinkingPagePanel profile={profile} service={service} />
      </Stack>
    </section>
  );
}

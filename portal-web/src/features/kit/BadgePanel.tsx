import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import type { Service } from '../integration/useIntegration.ts';
import { BadgePreview } from './BadgePreview.tsx';
import { badgeHtml, badgeThemes, type BadgeTheme } from './kitSnippets.ts';

/** The footer badge: a snippet to copy, and what it will look like. */
export function BadgePanel({ attribution }: { attribution: Service['attribution'] }) {
  const [theme, setTheme] = useState<BadgeTheme>('auto');
  return (
    <Panel
      title="Footer badge"
      lead="For the footer of your pages, in addition to the credit next to the data, never instead of it. It sets no cookies, stores nothing, tracks nobody and loads nothing else."
    >
      <Stack gap="md">
        <SegmentedControl aria-label="Badge theme" data={[...badgeThemes]} value={theme} onChange={setTheme} w="fit-content" maw="100%" />
        <CopyableCode value={badgeHtml(attribution, theme)} label="the badge’s HTML" block />
        <Text size="sm" c="dimmed" maw={640}>
          The badge appears in the span, or next to the script if there is no span. Even if the script runs twice, the badge is shown once
          in each place. With a content security policy, allow the script by nonce or by the portal’s address; it needs no inline styles.
          Version 1 never changes, so its integrity value stays valid.
        </Text>
        <BadgePreview attribution={attribution} />
      </Stack>
    </Panel>
  );
}

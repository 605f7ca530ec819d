import { Anchor, Button, Group, List } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { CopyButton } from '../../ui/values/CopyButton.tsx';
import { downloadFile } from '../../ui/text/downloadFile.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import type { Integration } from '../integration/integrationQuery.ts';
import type { Service } from '../integration/useIntegration.ts';
import { linkingPage } from './linkingPage.ts';

/** A ready linking page with the integration's own words and links, to download or copy. */
export function LinkingPagePanel({ profile, service }: { profile: Integration['profile']; service: Service }) {
  const html = linkingPage(profile, service);
  return (
    <Panel
      title="Sample linking page"
      lead="One HTML file with your name, purpose and links, ready to publish at your order-linking address. It meets the review’s requirements:"
    >
      <List spacing="xs" maw={640} mb="md">
        <List.Item>It treats the ten-digit code as text, which keeps leading zeroes, and sends it by POST.</List.Item>
        <List.Item>It asks for nothing else: no login, no account, no order number, no vehicle identification number.</List.Item>
        <List.Item>It links to your privacy policy, your terms of service and your support.</List.Item>
        <List.Item>It says that a user can revoke one order or all of them, and that you then delete your copies.</List.Item>
        <List.Item>It keeps linked orders separate from statistics.</List.Item>
      </List>
      <Group gap="sm">
        <Button leftSection={<IconDownload size={16} aria-hidden />} onClick={() => downloadFile('linking-page.html', html)}>
          Download linking-page.html
        </Button>
        <CopyButton value={html} label="the linking page’s HTML" />
        <Anchor component={Link} to={paths.guide('link-codes')}>
          What your back end does with the code
        </Anchor>
      </Group>
    </Panel>
  );
}

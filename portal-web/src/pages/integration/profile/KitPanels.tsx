import { Anchor, Button, Group, List, SegmentedControl, Stack, Text } from '@mantine/core';
import { IconDownload } from '@tabler/icons-react';
import { useEffect, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { Integration } from '../../../features/integration/integrationQuery.ts';
import type { Service } from '../../../features/integration/useIntegration.ts';
import { paths } from '../../../paths.ts';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { downloadFile } from '../../../ui/text/downloadFile.ts';
import { CopyableCode } from '../../../ui/values/CopyableCode.tsx';
import { CopyButton } from '../../../ui/values/CopyButton.tsx';
import { Facts } from '../../../ui/values/Facts.tsx';
import classes from './BadgePanel.module.css';
import { badgeHtml, type BadgeTheme, badgeThemes, creditHtml, creditPlain, linkingPage } from './kitSnippets.ts';

/** What operators put on their own pages: the credit, the badge and a linking page. */
export function KitPanels({ profile, service }: { profile: Integration['profile']; service: Service }) {
  return (
    <section id="kit" aria-label="For your own pages">
      <Stack gap="lg">
        <CreditPanel attribution={service.attribution} />
        <MixedSourcesPanel />
        <BadgePanel attribution={service.attribution} />
        <LinkingPagePanel profile={profile} service={service} />
      </Stack>
    </section>
  );
}

/** The credit: the words and the link that must appear wherever data from the service is shown. */
function CreditPanel({ attribution }: { attribution: Service['attribution'] }) {
  const copies = [
    { what: 'Credit text', value: attribution.text, label: 'the credit text' },
    { what: 'App link', value: attribution.link, label: 'the app link' },
    { what: 'Both as HTML', value: creditHtml(attribution), label: 'the credit as HTML', block: true },
    {
      what: 'Both as plain text, for exports and notifications',
      value: creditPlain(attribution),
      label: 'the credit as plain text',
      block: true,
    },
  ];
  return (
    <Panel
      title="Credit next to the data"
      lead="Wherever you show data from the service, place this text and link close to it and make them readable: not behind a click, and not in fine print."
    >
      <Stack gap="md">
        {copies.map(({ what, ...copy }) => (
          <div key={what}>
            <Text size="sm" fw={550} mb={6}>
              {what}
            </Text>
            <CopyableCode {...copy} />
          </div>
        ))}
      </Stack>
    </Panel>
  );
}

/** A ready linking page with the integration's own words and links, to download or copy. */
function LinkingPagePanel({ profile, service }: { profile: Integration['profile']; service: Service }) {
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

const marks = [
  ['Table or list', 'In each row or entry that comes from the service, for example in a source column or next to its title.'],
  ['Card or page of one order', 'On the card, next to the first value that comes from the service.'],
  ['Chart', 'In the legend and the tooltip of each series that comes from the service.'],
  ['Map', 'At each point, in its label or popup.'],
  ['Search result, computed value', 'At the result or value itself, even if only part of it comes from the service.'],
  ['Your own export or API', 'In a source column or field of each record.'],
  ['Notification', 'In the message itself.'],
] as const;

/** The attribution rules for output that mixes the service's data with others. */
function MixedSourcesPanel() {
  return (
    <Panel
      title="Mixed sources"
      lead="Where data from the service appears next to data from elsewhere, readers must be able to tell which is which. Reviewers check each kind of output."
    >
      <List spacing="xs" maw={640} mb="md">
        <List.Item>
          <strong>Mark each one.</strong> Every record, entry, series, value, map point or result that comes from the service carries its
          own mark, right where it is shown.
        </List.Item>
        <List.Item>
          <strong>A footer is not enough.</strong> Neither is the badge, or one credit for the whole page.
        </List.Item>
        <List.Item>
          <strong>Mark nothing else.</strong> Data from elsewhere must not look as if it came from the service.
        </List.Item>
      </List>
      <Text size="sm" fw={550} mb={6}>
        Where to put the mark
      </Text>
      <Facts facts={marks} />
    </Panel>
  );
}

/** The footer badge: a snippet to copy, and what it will look like. */
function BadgePanel({ attribution }: { attribution: Service['attribution'] }) {
  const [theme, setTheme] = useState<BadgeTheme>('auto');
  return (
    <Panel
      title="Footer badge"
      lead="For the footer of your pages, in addition to the credit next to the data, never instead of it. It sets no cookies, stores nothing, tracks nobody and loads nothing else."
    >
      <Stack gap="md">
        <SegmentedControl aria-label="Badge theme" data={[...badgeThemes]} value={theme} onChange={setTheme} w="fit-content" maw="100%" />
        <CopyableCode value={badgeHtml(attribution, theme)} label="the badge’s HTML" block wraps />
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

const captions = { auto: 'auto: follows the reader’s system', light: 'light', dark: 'dark' } as const;

/** The badge in its three themes, made by the very script that operators load. */
function BadgePreview({ attribution: { badgeUrl, badgeIntegrity } }: { attribution: Service['attribution'] }) {
  const places = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const script = Object.assign(document.createElement('script'), {
      src: badgeUrl,
      integrity: badgeIntegrity,
      crossOrigin: 'anonymous',
      referrerPolicy: 'no-referrer',
    });
    places.current?.append(script);
    return () => script.remove();
  }, [badgeUrl, badgeIntegrity]);
  return (
    <div className={classes.previews} ref={places}>
      {badgeThemes.map((theme) => (
        <figure key={theme} className={classes.preview} data-theme={theme}>
          <figcaption>{captions[theme]}</figcaption>
          <span data-svc-attribution="" data-svc-theme={theme} />
        </figure>
      ))}
    </div>
  );
}

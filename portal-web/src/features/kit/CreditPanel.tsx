import { Stack, Text } from '@mantine/core';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { Panel } from '../../ui/layout/Panel.tsx';
import type { Service } from '../integration/useIntegration.ts';
import { creditHtml, creditPlain } from './kitSnippets.ts';

/** The credit: the words and the link that must appear wherever data from the service is shown. */
export function CreditPanel({ attribution }: { attribution: Service['attribution'] }) {
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

import { Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Panel } from '../../ui/layout/Panel.tsx';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { Facts } from '../../ui/values/Facts.tsx';
import { useReadOnly } from '../integration/ownerView.ts';
import { payloadModeWords } from '../webhooks/webhookWords.ts';
import type { DeliveryInFull } from './deliveryQueries.ts';
import { lastSent, sentHeaders, type SentHeader } from './sentHeaders.ts';

/** What the last attempt sent: where to, its headers, and, for the owner alone, its body as far as it can be made again. */
export function SentPanel({ delivery }: { delivery: DeliveryInFull }) {
  const readOnly = useReadOnly();
  const sent = lastSent(delivery);
  if (!sent) return null;
  const { url, payloadMode, revision, bodySha256 } = sent;
  const facts: (readonly [string, ReactNode])[] = [];
  if (url) facts.push(['URL', <CopyableCode key="url" value={url} label="the URL that it was sent to" />]);
  if (payloadMode) facts.push(['Payload', payloadModeWords[payloadMode].word]);
  if (revision) facts.push(['Revision', revision]);
  if (bodySha256) facts.push(['SHA-256 of the body', <CopyableCode key="sha256" value={bodySha256} label="the digest" />]);
  return (
    <Panel title="What was sent" lead={`Attempt ${sent.number}. Each attempt has a signature of its own, which is not kept.`}>
      <Stack gap="md">
        {facts.length > 0 && <Facts facts={facts} />}
        <DataTable caption="Headers" columns={columns} rows={sentHeaders(sent)} rowKey={([name]) => name} />
        {readOnly ? (
          <Text size="sm">The body, the whole URL and how to check the signature with them are for the owner alone.</Text>
        ) : (
          <Body delivery={delivery} bodySha256={bodySha256} />
        )}
      </Stack>
    </Panel>
  );
}

function Body({ delivery: { bodies, endpoint }, bodySha256 }: { delivery: DeliveryInFull; bodySha256: string | null }) {
  const { notification, now } = bodies ?? { notification: null, now: null };
  const again = [notification, now].find((body) => body !== null && body.sha256 === bodySha256);
  if (again) {
    return (
      <div>
        <Text size="sm">The body, made again: its SHA-256 is the one that was sent.</Text>
        <CopyableCode value={again.text} label="the body" block />
      </div>
    );
  }
  if (!now || endpoint.payloadMode !== 'full_payload') {
    return <Text size="sm">The body is not kept, and what it showed then cannot be made again.</Text>;
  }
  return (
    <div>
      <Text size="sm">
        The body that was sent is not kept. As it would be sent now, with revision {now.revision} and the SHA-256 <code>{now.sha256}</code>:
      </Text>
      <CopyableCode value={now.text} label="the body as it would be sent now" block />
    </div>
  );
}

const columns: readonly Column<SentHeader>[] = [
  { header: 'Header', cell: ([name]) => <code>{name}</code> },
  { header: 'Value', breaks: true, cell: ([, value]) => (value === null ? 'Not kept' : <code>{value}</code>) },
];

import { Anchor, List, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import type { DeliveryInFull } from './deliveryQueries.ts';
import { sentHeaders, signatureBase, type SentHeader } from './sentHeaders.ts';

type SentHeadersPanelProps = { delivery: DeliveryInFull; portalUrl: string };

/** The headers that the last attempt was sent with, and how the reader checks its signature with these values. */
export function SentHeadersPanel({ delivery: { event, endpoint, attempts }, portalUrl }: SentHeadersPanelProps) {
  const last = attempts.at(-1);
  if (!last?.keyId) return null;
  const attempt = { eventId: event.id, eventTimestamp: event.occurredAt, startedAt: last.startedAt, keyId: last.keyId };
  const keys = `${portalUrl}${paths.webhookKeys}`;
  return (
    <>
      <Panel
        title="What was sent"
        lead={`The headers of attempt ${last.number}. Each attempt has a signature of its own. Bodies are not kept, so neither are the digest and the signature, which depend on them.`}
      >
        <DataTable caption="Headers" columns={columns} rows={sentHeaders(attempt)} rowKey={([name]) => name} />
      </Panel>
      <Panel title="Check its signature" lead="What your receiver does with this very request, in this order, before it reads the body.">
        <Stack gap="md">
          <List type="ordered" spacing="md" maw={720} styles={{ itemWrapper: { display: 'block' } }}>
            <List.Item>
              Compute SHA-256 of the body’s raw bytes, and compare it with <code>Content-Digest</code>.
            </List.Item>
            <List.Item>
              Take the public key with this <code>kid</code> from the published keys. If yours are older than the key, fetch them once more.
              <CopyableCode
                value={`curl -s ${keys} | jq '.keys[] | select(.kid == "${last.keyId}")'`}
                label="the command for the key"
                block
              />
            </List.Item>
            <List.Item>
              Put together what was signed: these lines, without a line break at the end, with the header’s own value in place of{' '}
              <code>YOUR_CONTENT_DIGEST</code>.
              <CopyableCode value={signatureBase(attempt, endpoint.url)} label="the signed lines" block />
            </List.Item>
            <List.Item>
              Verify the Ed25519 signature in <code>Signature</code> over these bytes. Only then parse the body: its event ID must equal the
              one in the header. Store it before you answer, and apply no event twice.
            </List.Item>
          </List>
          <Text size="sm">
            The guide has complete receivers in TypeScript, Python and Go.{' '}
            <Anchor component={Link} to={paths.guide('webhooks')} inherit>
              Receiving webhooks
            </Anchor>
          </Text>
        </Stack>
      </Panel>
    </>
  );
}

const columns: readonly Column<SentHeader>[] = [
  { header: 'Header', cell: ([name]) => <code>{name}</code> },
  { header: 'Value', breaks: true, cell: ([, value]) => (value === null ? 'Not kept' : <code>{value}</code>) },
];

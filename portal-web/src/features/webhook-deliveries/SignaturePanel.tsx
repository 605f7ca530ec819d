import { Anchor, List, Stack, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import type { DeliveryInFull } from './deliveryQueries.ts';
import { lastSent, signatureBase } from './sentHeaders.ts';

type SignaturePanelProps = { delivery: DeliveryInFull; portalUrl: string };

/** How the reader checks the signature of the last attempt, with its values. */
export function SignaturePanel({ delivery, portalUrl }: SignaturePanelProps) {
  const { endpoint } = delivery;
  const sent = lastSent(delivery);
  if (!sent) return null;
  const keys = `${portalUrl}${paths.webhookKeys}`;
  return (
    <Panel title="Check its signature" lead="What your receiver does with this very request, in this order, before it reads the body.">
      <Stack gap="md">
        <List type="ordered" spacing="md" maw={720} styles={{ itemWrapper: { display: 'block' } }}>
          <List.Item>
            Compute SHA-256 of the body’s raw bytes, and compare it with <code>Content-Digest</code>.
          </List.Item>
          <List.Item>
            Take the public key with this <code>kid</code> from the published keys. If yours are older than the key, fetch them once more.
            <CopyableCode
              value={`curl -s ${keys} | jq '.keys[] | select(.kid == "${sent.keyId}")'`}
              label="the command for the key"
              block
            />
          </List.Item>
          <List.Item>
            Put together what was signed: these lines, without a line break at the end
            {sent.bodySha256 === null && (
              <>
                , with the header’s own value in place of <code>YOUR_CONTENT_DIGEST</code>
              </>
            )}
            .
            <CopyableCode value={signatureBase(sent, sent.url ?? endpoint.url)} label="the signed lines" block />
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
  );
}

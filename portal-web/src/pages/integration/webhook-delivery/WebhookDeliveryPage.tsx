import { Anchor, Button, Group, List, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { deliveryFacts } from '../../../../../server/domain/outbox/deliveryFacts.ts';
import { webhookEndpointFacts } from '../../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { ObjectEnvironment } from '../../../features/integration/ObjectEnvironment.tsx';
import { useIntegrationPaths, useReadOnly } from '../../../features/integration/ownerView.ts';
import { useIntegration } from '../../../features/integration/useIntegration.ts';
import { AttemptTimeline } from '../../../features/webhook-deliveries/AttemptTimeline.tsx';
import { type DeliveryInFull, deliveryQuery } from '../../../features/webhook-deliveries/deliveryQueries.ts';
import { isReplayable, isUnderWay } from '../../../features/webhook-deliveries/DeliveryTable.tsx';
import { lastSent, type SentHeader, sentHeaders, signatureBase } from './sentHeaders.ts';
import { StateOfDelivery } from '../../../features/webhook-deliveries/StateOfDelivery.tsx';
import { TryNow } from '../../../features/webhook-deliveries/TryNow.tsx';
import { useReplay } from '../../../features/webhook-deliveries/useReplay.ts';
import { eventTypeName, payloadModeWords } from '../../../features/webhooks/webhookWords.ts';
import { usePolledQuery } from '../../../graphql/usePolledQuery.ts';
import { paths } from '../../../paths.ts';
import { BackLink } from '../../../ui/layout/BackLink.tsx';
import { Panel } from '../../../ui/layout/Panel.tsx';
import { type Column, DataTable } from '../../../ui/lists/DataTable.tsx';
import { EmptyState } from '../../../ui/states/EmptyState.tsx';
import { ErrorMessage } from '../../../ui/states/ErrorMessage.tsx';
import { Loaded } from '../../../ui/states/Loaded.tsx';
import { Time } from '../../../ui/time/Time.tsx';
import { CopyableCode } from '../../../ui/values/CopyableCode.tsx';
import { EnvironmentTag } from '../../../ui/values/EnvironmentTag.tsx';
import { Facts } from '../../../ui/values/Facts.tsx';
import { Identifier } from '../../../ui/values/Identifier.tsx';
import { StatusBadge } from '../../../ui/values/StatusBadge.tsx';

const fresh = { requestPolicy: 'cache-and-network' } as const;

/** One delivery: why it is where it is, every attempt, and what was sent. */
export function Component() {
  const to = useIntegrationPaths();
  const { endpointId = '', deliveryId = '' } = useParams();
  const { service } = useIntegration();
  const readOnly = useReadOnly();
  const navigate = useNavigate();
  const [result, read] = usePolledQuery({
    query: deliveryQuery,
    variables: { id: deliveryId },
    whileTrue: ({ webhookDelivery }) => isUnderWay(webhookDelivery),
    every: 2000,
    context: fresh,
  });
  const reread = () => read({ requestPolicy: 'network-only' });
  const { replay, busy, problem } = useReplay();
  return (
    <Loaded result={result} onRetry={reread}>
      {({ webhookDelivery: delivery }) => {
        const { id, state, event, endpoint, attempts } = delivery;
        const environment = event.environment ?? endpoint.environment;
        return (
          <Stack gap="lg">
            <ObjectEnvironment environment={environment} />
            <BackLink to={to.webhookEndpoint(endpointId)}>All deliveries of this endpoint</BackLink>
            <Stack gap="xs">
              <Title order={2}>{eventTypeName(event.type)}</Title>
              <Group gap="xs" role="status">
                <StatusBadge tone={deliveryFacts[state].tone}>{deliveryFacts[state].word}</StatusBadge>
                <EnvironmentTag environment={environment} />
                {event.test && <Text size="sm">Test event</Text>}
              </Group>
              <StateOfDelivery delivery={delivery} />
              {problem && <ErrorMessage message={problem} />}
              <TryNow {...{ delivery, endpoint }} onTried={reread} />
              {!readOnly &&
                isReplayable(delivery) &&
                webhookEndpointFacts[endpoint.status].receives === 'yes' &&
                environment === endpoint.environment && (
                  <Button
                    variant="default"
                    w="fit-content"
                    loading={busy}
                    onClick={() => {
                      void replay(id).then((made) => made && navigate(to.webhookDelivery(endpointId, made)));
                    }}
                  >
                    Replay this delivery
                  </Button>
                )}
            </Stack>
            <Panel title="Attempts">
              {attempts.length > 0 ? (
                <AttemptTimeline attempts={attempts} />
              ) : (
                <EmptyState kind="nothingYet" title={isUnderWay(delivery) ? 'No attempts yet.' : 'No attempt was made.'} />
              )}
            </Panel>
            <Panel title="About this delivery">
              <DeliveryFacts {...{ delivery }} endpointId={endpointId} />
            </Panel>
            <SentPanel delivery={delivery} />
            {!readOnly && <SignaturePanel delivery={delivery} portalUrl={service.portalUrl} />}
          </Stack>
        );
      }}
    </Loaded>
  );
}

type DeliveryFactsProps = { delivery: DeliveryInFull; endpointId: string };

/** The identifiers and times of a delivery. */
function DeliveryFacts({ delivery, endpointId }: DeliveryFactsProps) {
  const to = useIntegrationPaths();
  const { id, event, endpoint, createdAt, windowEndsAt, finishedAt, replayOf, replays } = delivery;
  const at = (time: string) => <Time key={time} value={time} form="moment" />;
  const facts: (readonly [string, ReactNode])[] = [
    ['Delivery ID', <Identifier key="delivery" value={id} label="the delivery ID" />],
    ['Event ID', <Identifier key="event" value={event.id} label="the event ID" />],
  ];
  if (event.resourceId) facts.push(['Resource', <Identifier key="resource" value={event.resourceId} label="the resource’s ID" />]);
  if (event.connectionId) {
    facts.push(['Connection', <Identifier key="connection" value={event.connectionId} label="the connection’s ID" />]);
  }
  facts.push(
    ['Endpoint', <CopyableCode key="url" value={endpoint.url} label="the URL" />],
    ['Current payload setting', payloadModeWords[endpoint.payloadMode].word],
    ['Occurred', at(event.occurredAt)],
    ['Created', at(createdAt)],
  );
  if (finishedAt) facts.push(['Finished', at(finishedAt)]);
  else facts.push(['Attempts end', at(windowEndsAt)]);
  if (replayOf) {
    facts.push([
      'Replay of',
      <Anchor key="replay" component={Link} to={to.webhookDelivery(endpointId, replayOf)}>
        {replayOf}
      </Anchor>,
    ]);
  }
  if (replays.length > 0) {
    facts.push([
      'Replayed as',
      <Stack key="replays" gap={4}>
        {replays.map((replay) => (
          <Anchor key={replay.id} component={Link} to={to.webhookDelivery(endpointId, replay.id)} inherit>
            {replay.id}
          </Anchor>
        ))}
      </Stack>,
    ]);
  }
  return <Facts facts={facts} />;
}

type SignaturePanelProps = { delivery: DeliveryInFull; portalUrl: string };

/** How the reader checks the signature of the last attempt, with its values. */
function SignaturePanel({ delivery, portalUrl }: SignaturePanelProps) {
  const { endpoint } = delivery;
  const sent = lastSent(delivery);
  if (!sent) return null;
  const keys = `${portalUrl}${paths.webhookKeys}`;
  return (
    <Panel title="Check its signature" lead="What your receiver must do with this request, in this order, before it reads the body.">
      <Stack gap="md">
        <List type="ordered" spacing="md" maw={720} styles={{ itemWrapper: { display: 'block' } }}>
          <List.Item>
            Compute SHA-256 of the body’s raw bytes, and compare it with <code>Content-Digest</code>.
          </List.Item>
          <List.Item>
            Take the public key with this <code>kid</code> from the published keys. If yours are older than the key, fetch them once more.
            <CopyableCode
              value={`curl -sS ${keys} | jq '.keys[] | select(.kid == "${sent.keyId}")'`}
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

/** What the last attempt sent: where to, its headers, and, for the owner alone, its body as far as it can be made again. */
function SentPanel({ delivery }: { delivery: DeliveryInFull }) {
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
        <Text size="sm">The body, recreated: its SHA-256 matches the one that was sent.</Text>
        <CopyableCode value={again.text} label="the body" block wraps />
      </div>
    );
  }
  if (!now || endpoint.payloadMode !== 'full_payload') {
    return <Text size="sm">The body is not kept and can no longer be recreated.</Text>;
  }
  return (
    <div>
      <Text size="sm">
        The body that was sent is not kept. As it would be sent now, with revision {now.revision} and the SHA-256 <code>{now.sha256}</code>:
      </Text>
      <CopyableCode value={now.text} label="the body as it would be sent now" block wraps />
    </div>
  );
}

const columns: readonly Column<SentHeader>[] = [
  { header: 'Header', cell: ([name]) => <code>{name}</code> },
  { header: 'Value', breaks: true, cell: ([, value]) => (value === null ? 'Not kept' : <code>{value}</code>) },
];

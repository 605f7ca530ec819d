import { Anchor, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { useIntegrationPaths } from '../integration/ownerView.ts';
import { absoluteWords } from '../../ui/time/timeWords.ts';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { Identifier } from '../../ui/values/Identifier.tsx';
import { Facts } from '../../ui/values/Facts.tsx';
import type { DeliveryInFull } from './deliveryQueries.ts';
import { payloadModeWords } from '../webhooks/webhookWords.ts';

type DeliveryFactsProps = { delivery: DeliveryInFull; endpointId: string };

/** The identifiers and times of a delivery. */
export function DeliveryFacts({ delivery, endpointId }: DeliveryFactsProps) {
  const to = useIntegrationPaths();
  const { id, event, endpoint, createdAt, windowEndsAt, finishedAt, replayOf, replays } = delivery;
  const at = (time: string) => absoluteWords(new Date(time));
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
    ['Its payload now', payloadModeWords[endpoint.payloadMode].word],
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

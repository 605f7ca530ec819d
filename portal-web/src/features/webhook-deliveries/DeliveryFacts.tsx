import { Anchor, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { absoluteWords } from '../../ui/time/timeWords.ts';
import { CopyableCode } from '../../ui/values/CopyableCode.tsx';
import { Facts } from '../../ui/values/Facts.tsx';
import type { DeliveryInFull } from './deliveryQueries.ts';
import { payloadModeWords } from '../webhooks/webhookWords.ts';

type DeliveryFactsProps = { delivery: DeliveryInFull; slug: string; endpointId: string };

/** The identifiers and times of a delivery. */
export function DeliveryFacts({ delivery, slug, endpointId }: DeliveryFactsProps) {
  const { id, event, endpoint, createdAt, windowEndsAt, finishedAt, replayOf, replays } = delivery;
  const at = (time: string) => absoluteWords(new Date(time));
  const facts: (readonly [string, ReactNode])[] = [
    ['Delivery ID', <CopyableCode key="delivery" value={id} label="the delivery ID" />],
    ['Event ID', <CopyableCode key="event" value={event.id} label="the event ID" />],
  ];
  if (event.resourceId) facts.push(['Resource', <CopyableCode key="resource" value={event.resourceId} label="the resource’s ID" />]);
  if (event.connectionId) {
    facts.push(['Connection', <CopyableCode key="connection" value={event.connectionId} label="the connection’s ID" />]);
  }
  facts.push(
    ['URL', <CopyableCode key="url" value={endpoint.url} label="the URL" />],
    ['Payload', payloadModeWords[endpoint.payloadMode].word],
    ['Occurred', at(event.occurredAt)],
    ['Created', at(createdAt)],
  );
  if (finishedAt) facts.push(['Finished', at(finishedAt)]);
  else facts.push(['Attempts end', at(windowEndsAt)]);
  if (replayOf) {
    facts.push([
      'Replay of',
      <Anchor key="replay" component={Link} to={paths.webhookDelivery(slug, endpointId, replayOf)}>
        {replayOf}
      </Anchor>,
    ]);
  }
  if (replays.length > 0) {
    facts.push([
      'Replayed as',
      <Stack key="replays" gap={4}>
        {replays.map((replay) => (
          <Anchor key={replay.id} component={Link} to={paths.webhookDelivery(slug, endpointId, replay.id)} inherit>
            {replay.id}
          </Anchor>
        ))}
      </Stack>,
    ]);
  }
  return <Facts facts={facts} />;
}

import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { Link } from 'react-router';
import { webhookEndpointFacts } from '../../../../server/domain/outbox/webhookEndpointFacts.ts';
import { useIntegrationPaths } from '../integration/ownerView.ts';
import { Time } from '../../ui/time/Time.tsx';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { DayBars } from '../webhook-history/DayBars.tsx';
import classes from './EndpointCard.module.css';
import type { Surroundings } from './endpointHealth.ts';
import { HealthLine } from './HealthLine.tsx';
import { boundedCount } from './boundedCount.ts';
import type { ListedEndpoint } from './webhookQueries.ts';
import { payloadModeWords } from './webhookWords.ts';

type EndpointCardProps = { endpoint: ListedEndpoint; integration: Surroundings };

/** One endpoint in the list: where it is, whether deliveries arrive, and how many do not. */
export function EndpointCard({ endpoint, integration }: EndpointCardProps) {
  const to = useIntegrationPaths();
  const { id, url, status, environment, payloadMode, eventTypes, description, attemptHistory } = endpoint;
  return (
    <article className={classes.card} aria-label={`Endpoint ${id}`}>
      <Stack gap="xs">
        <Title order={3} style={{ overflowWrap: 'anywhere' }}>
          <Anchor component={Link} to={to.webhookEndpoint(id)} inherit>
            <Address url={url} />
          </Anchor>
        </Title>
        <Group gap="xs">
          <EnvironmentTag environment={environment} />
          <Text size="sm" c="dimmed">
            {payloadModeWords[payloadMode].word}, {eventTypes.length === 7 ? 'all 7 event types' : `${eventTypes.length} of 7 event types`}
          </Text>
        </Group>
        {description && <Text size="sm">{description}</Text>}
        <HealthLine {...{ endpoint, integration }} />
      </Stack>
      <Stack gap="xs">
        {webhookEndpointFacts[status].receives !== 'never' && <DayBars buckets={attemptHistory} />}
        <Figures endpoint={endpoint} />
      </Stack>
    </article>
  );
}

/** A URL that breaks after a dot or a slash, where it has to. */
function Address({ url }: { url: string }) {
  return url.split(/(?<=[./])(?=[^./])/).map((part, at) => (
    // eslint-disable-next-line react/no-array-index-key
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

function Figures({ endpoint: { id, health } }: { endpoint: ListedEndpoint }) {
  const to = useIntegrationPaths();
  const counted = (state: 'pending' | 'held' | 'dead', count: number) =>
    count === 0 ? (
      '0'
    ) : (
      <Anchor component={Link} to={to.webhookEndpoint(id, { state })} inherit>
        {boundedCount(count)}
      </Anchor>
    );
  const figures: (readonly [string, ReactNode])[] = [
    ['Last success', health.lastSuccessAt ? <Time key="success" value={health.lastSuccessAt} /> : 'None yet'],
    ['Waiting', counted('pending', health.waiting)],
    ['Held', counted('held', health.held)],
    ['Dead letters', counted('dead', health.dead)],
  ];
  return (
    <dl className={classes.figures}>
      {figures.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

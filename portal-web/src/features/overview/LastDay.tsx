import { Anchor, Text, Title } from '@mantine/core';
import { Link } from 'react-router';
import { Bars } from '../../ui/charts/Bars.tsx';
import { hourWords } from '../../ui/time/timeWords.ts';
import { useIntegrationPaths } from '../integration/ownerView.ts';
import { ErrorGroups } from './ErrorGroups.tsx';
import type { OverviewClient } from './overviewQuery.ts';

/** The requests of the last 24 hours, and why some of them were refused. */
export function LastDay({ client }: { client: OverviewClient }) {
  const to = useIntegrationPaths();
  const { environment, traffic } = client;
  const all = traffic.reduce((sum, { total }) => sum + total, 0);
  const refused = traffic.reduce((sum, { failed }) => sum + failed, 0);
  return (
    <section aria-labelledby="last-day">
      <Title order={2} id="last-day" mb="xs">
        Last 24 hours
      </Title>
      {all > 0 && (
        <Bars
          label={`Requests in the last 24 hours, ${environment}`}
          bars={traffic.map(({ hour, total, failed }) => ({ name: hourWords(new Date(hour)), total, failed }))}
          failedWord="refused or failed"
        />
      )}
      <Text size="sm" mt="xs">
        {all === 0
          ? `No requests in ${environment === 'sandbox' ? 'the sandbox' : 'production'}. `
          : `${all.toLocaleString('en')} ${all === 1 ? 'request' : 'requests'}, ${refused.toLocaleString('en')} refused or failed. `}
        <Anchor component={Link} to={to.requests({ environment })} inherit>
          All requests
        </Anchor>
      </Text>
      <ErrorGroups client={client} />
    </section>
  );
}

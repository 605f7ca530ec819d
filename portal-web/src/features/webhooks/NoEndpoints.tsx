import { Anchor, List, Text } from '@mantine/core';
import { Link } from 'react-router';
import { paths } from '../../paths.ts';
import { Panel } from '../../ui/layout/Panel.tsx';

/** Shown before the first endpoint: what pulling gives already, and what webhooks add. */
export function NoEndpoints({ pollingMinutes }: { pollingMinutes: number }) {
  return (
    <Panel title="You get all data without webhooks, too">
      <List spacing="xs" maw={640}>
        <List.Item>
          <strong>Pulling is complete.</strong> Each sync brings every change and every revocation since the last one. No change comes by
          webhook alone.
        </List.Item>
        <List.Item>
          <strong>A webhook saves the wait.</strong> You learn of a change within seconds, instead of at your next sync after up to{' '}
          {pollingMinutes} minutes.
        </List.Item>
        <List.Item>
          <strong>Webhooks can come late, twice or out of order,</strong> so keep pulling as well.
        </List.Item>
      </List>
      <Text mt="md">
        <Anchor component={Link} to={paths.guide('webhooks')}>
          Receiving webhooks
        </Anchor>
        {' · '}
        <Anchor component={Link} to={paths.guide('syncing')}>
          Syncing
        </Anchor>
      </Text>
    </Panel>
  );
}

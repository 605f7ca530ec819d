import { Anchor } from '@mantine/core';
import { Link } from 'react-router';
import { integrationStatusWords } from '../integration/statusWords.ts';
import { paths } from '../../paths.ts';
import { RecordRow } from '../../ui/lists/RecordList.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import type { ListedIntegration } from './integrationQueries.ts';

/** An integration in an administrator's list: whose it is, its status, and when it was last heard of. */
export function IntegrationRecord({ integration, owner }: ListedIntegration) {
  const { slug, status, profile, createdAt, clients } = integration;
  const lastRequestAt = clients
    .map((client) => client.lastRequestAt ?? '')
    .toSorted()
    .at(-1);
  const badge = integrationStatusWords[status];
  return (
    <RecordRow
      title={
        <Anchor component={Link} to={paths.adminIntegration(slug)} fw={600}>
          {profile.publicName}
        </Anchor>
      }
      facts={
        <>
          <code>{slug}</code>, of{' '}
          <Anchor component={Link} to={paths.adminOperator(owner.id)} inherit>
            {owner.email ?? 'a deleted account'}
          </Anchor>
          , created <RelativeTime value={createdAt} />,{' '}
          {lastRequestAt ? (
            <>
              last request <RelativeTime value={lastRequestAt} />
            </>
          ) : (
            'no requests yet'
          )}
        </>
      }
      marks={<StatusBadge tone={badge.tone}>{badge.word}</StatusBadge>}
    />
  );
}

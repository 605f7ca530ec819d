import { Button, Text } from '@mantine/core';
import { DataTable, type Column } from '../../ui/lists/DataTable.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { useNow } from '../../ui/time/useNow.ts';
import { EnvironmentTag } from '../../ui/values/EnvironmentTag.tsx';
import { Identifier } from '../../ui/values/Identifier.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { OperatorLink } from './OperatorLink.tsx';
import type { ServiceToken } from './tokenQueries.ts';

type TokenTableProps = { tokens: readonly ServiceToken[]; onRevoke: (token: ServiceToken) => void };

/** Service tokens, each with its permissions, who created it, when it was last used, and when it expires. */
export function TokenTable({ tokens, onRevoke }: TokenTableProps) {
  const now = useNow();
  const isOver = ({ expiresAt, revokedAt }: ServiceToken) => revokedAt !== null || new Date(expiresAt) <= now;
  const columns: readonly Column<ServiceToken>[] = [
    {
      header: 'Token',
      cell: ({ id, name }) => (
        <>
          {name}
          <Text size="sm" component="div">
            <Identifier value={id} />
          </Text>
        </>
      ),
    },
    { header: 'Environment', cell: ({ environment }) => <EnvironmentTag environment={environment} /> },
    { header: 'Permissions', cell: ({ permissions }) => permissions.join(', ') },
    {
      header: 'Created',
      breaks: true,
      cell: ({ createdAt, createdBy, createdByName }) => (
        <>
          <Time value={createdAt} /> {createdBy ? 'by ' : 'at the server’s terminal'}
          {createdBy && <OperatorLink id={createdBy} name={createdByName} />}
        </>
      ),
    },
    { header: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? <Time value={lastUsedAt} /> : 'Never') },
    {
      header: 'Ends',
      cell: (token) => (
        <>
          <StatusBadge tone={isOver(token) ? 'stopped' : 'good'}>
            {token.revokedAt ? 'Revoked' : isOver(token) ? 'Expired' : 'Valid'}
          </StatusBadge>
          <div>
            <Time value={token.revokedAt ?? token.expiresAt} />
          </div>
        </>
      ),
    },
    {
      header: 'Revoke',
      actions: true,
      cell: (token) =>
        !isOver(token) && (
          <Button variant="default" size="xs" onClick={() => onRevoke(token)} aria-label={`Revoke ${token.name}`}>
            Revoke
          </Button>
        ),
    },
  ];
  return <DataTable caption="Service tokens" columns={columns} rows={tokens} rowKey={({ id }) => id} />;
}

import { Anchor, Group, NativeSelect, Stack } from '@mantine/core';
import { Link, useLocation, useNavigate } from 'react-router';
import { useQuery } from 'urql';
import { operatorsQuery, roleWords, type Role } from '../../features/administration/operatorQueries.ts';
import { RoleBadges } from '../../features/administration/RoleBadges.tsx';
import { paths } from '../../paths.ts';
import { Empty } from '../../ui/states/Empty.tsx';
import { filterNavigation } from '../../ui/lists/filterNavigation.ts';
import { InlineCode } from '../../ui/values/InlineCode.tsx';
import { Loaded } from '../../ui/states/Loaded.tsx';
import { PageHeading } from '../../ui/layout/PageHeading.tsx';
import { Pager } from '../../ui/lists/Pager.tsx';
import { RecordList, RecordRow } from '../../ui/lists/RecordList.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { SearchField } from '../../ui/lists/SearchField.tsx';

const orders = [
  { value: 'newest', label: 'Newest first' },
  { value: 'oldest', label: 'Oldest first' },
  { value: 'address', label: 'By address' },
] as const;
type Order = (typeof orders)[number]['value'];
type Asked = { search: string; role: string; order: Order; after: string };

/** Everybody who has an account. What is searched for is an address, so it stays out of the page's own. */
export function Component() {
  const navigate = useNavigate();
  const { state } = useLocation() as { state: Partial<Asked> | null };
  const { search = '', role = '', order = 'newest', after = '' } = state ?? {};
  const change = (changes: Partial<Asked>) =>
    void navigate('.', { ...filterNavigation, replace: !changes.after, state: { search, role, order, after: '', ...changes } });
  const filter = { search: search || null, role: (role || null) as Role | null };
  const [result, read] = useQuery({
    query: operatorsQuery,
    variables: { filter, order, after: after || null },
    requestPolicy: 'cache-and-network',
  });
  return (
    <Stack gap="md">
      <PageHeading title="Operators" lead="Every account. Search results are sorted by address." />
      <Group gap="md" align="flex-start">
        <SearchField
          label="Search"
          description="Part of an address, the name or slug of one of their integrations, or a complete identifier"
          value={search}
          onChange={(value) => change({ search: value })}
        />
        <NativeSelect
          label="Role"
          value={role}
          onChange={(event) => change({ role: event.currentTarget.value })}
          data={[{ value: '', label: 'Any' }, ...Object.entries(roleWords).map(([value, { word }]) => ({ value, label: word }))]}
          flex="0 1 12rem"
        />
        <NativeSelect
          label="Order"
          value={search ? 'address' : order}
          disabled={search !== ''}
          onChange={(event) => change({ order: event.currentTarget.value as Order })}
          data={[...orders]}
          flex="0 1 11rem"
        />
      </Group>
      <Loaded result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ operators: { edges, pageInfo } }) =>
          edges.length === 0 ? (
            <Empty>No accounts match. Enter part of an address or name, or a complete ID.</Empty>
          ) : (
            <div>
              <RecordList label="Operators">
                {edges.map(({ node }) => (
                  <RecordRow
                    key={node.id}
                    title={
                      <Anchor component={Link} to={paths.adminOperator(node.id)} fw={600}>
                        {node.email ?? 'Deleted account'}
                      </Anchor>
                    }
                    facts={
                      <>
                        <div>
                          <InlineCode value={node.id} />
                        </div>
                        {countWords(node.integrationCount)}, registered <RelativeTime value={node.createdAt} />
                      </>
                    }
                    marks={<RoleBadges roles={node.roles} deleted={node.deletedAt !== null} locked={node.lockedAt !== null} />}
                  />
                ))}
              </RecordList>
              <Pager page={pageInfo} after={after} onAfter={(cursor) => change({ after: cursor })} />
            </div>
          )
        }
      </Loaded>
    </Stack>
  );
}

function countWords(count: number): string {
  return count === 1 ? '1 integration' : `${count} integrations`;
}

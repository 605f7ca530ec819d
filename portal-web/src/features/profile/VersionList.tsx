import { Button, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Panel } from '../../ui/Panel.tsx';
import { RelativeTime } from '../../ui/RelativeTime.tsx';
import { StatusBadge } from '../../ui/StatusBadge.tsx';
import { ChangeList } from './ChangeList.tsx';
import { profileQuery, type RevisedProfile, type VersionPage } from './profileQueries.ts';
import classes from './VersionList.module.css';

export const pageSize = 10;

type VersionListProps = { slug: string; first: VersionPage; current: number; reviewed: number | null };

/** Every version of the profile with what it changed, newest first. */
export function VersionList({ slug, first, current, reviewed }: VersionListProps) {
  const [cursors, setCursors] = useState<readonly string[]>([]);
  return (
    <Panel
      title="Versions"
      lead="Each version is a snapshot and stays as it was. Users consent to the version of their day; a later one never widens that."
    >
      <Stack gap="lg">
        {first.edges.map(({ node }) => (
          <Version key={node.profile.version} {...{ node, current, reviewed }} />
        ))}
        {cursors.length === 0 && <LoadMore page={first} onMore={(cursor) => setCursors([cursor])} />}
        {cursors.map((after) => (
          <MoreVersions
            key={after}
            {...{ slug, current, reviewed, after }}
            isLast={after === cursors.at(-1)}
            onMore={(cursor) => setCursors([...cursors, cursor])}
          />
        ))}
      </Stack>
    </Panel>
  );
}

function Version({ node: { profile, changes }, current, reviewed }: { node: RevisedProfile; current: number; reviewed: number | null }) {
  const { version, createdAt } = profile;
  return (
    <article aria-label={`Version ${version}`}>
      <div className={classes.head}>
        <Title order={3}>Version {version}</Title>
        {version === current && <StatusBadge tone="good">Current</StatusBadge>}
        {version === reviewed && <StatusBadge tone="good">Reviewed</StatusBadge>}
        <Text size="sm" c="dimmed">
          <RelativeTime value={createdAt} />
        </Text>
      </div>
      {changes.length > 0 ? <ChangeList changes={changes} /> : <Text size="sm">The first one, made with the integration.</Text>}
    </article>
  );
}

type MoreProps = Omit<VersionListProps, 'first'> & { after: string; isLast: boolean; onMore: (cursor: string) => void };

function MoreVersions({ slug, current, reviewed, after, isLast, onMore }: MoreProps) {
  const [{ data, fetching }] = useQuery({ query: profileQuery, variables: { slug, first: pageSize, after } });
  if (!data)
    return <Text c="dimmed">{fetching ? 'Loading more …' : 'The next page could not be read. Reload this one and try again.'}</Text>;
  return (
    <>
      {data.profileVersions.edges.map(({ node }) => (
        <Version key={node.profile.version} {...{ node, current, reviewed }} />
      ))}
      {isLast && <LoadMore page={data.profileVersions} onMore={onMore} />}
    </>
  );
}

function LoadMore({ page: { pageInfo }, onMore }: { page: VersionPage; onMore: (cursor: string) => void }) {
  const { hasNextPage, endCursor } = pageInfo;
  if (!hasNextPage || !endCursor) return null;
  return (
    <Button variant="default" w="fit-content" onClick={() => onMore(endCursor)}>
      Load more
    </Button>
  );
}

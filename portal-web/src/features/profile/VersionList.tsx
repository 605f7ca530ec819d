import { Stack, Text, Title } from '@mantine/core';
import { useEffect } from 'react';
import { useQuery } from 'urql';
import { LoadedList } from '../../ui/lists/LoadedList.tsx';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import { usePlace } from '../../ui/lists/usePlace.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { Time } from '../../ui/time/Time.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { ChangeList } from './ChangeList.tsx';
import { versionPage, versionsQuery, type RevisedProfile } from './profileQueries.ts';
import classes from './VersionList.module.css';

type VersionListProps = { slug: string; current: number; reviewed: number | null };

/** A page of the profile's versions, newest first, each with what it changed. Versions never change, so they are read again only when there is a new one. */
export function VersionList({ slug, current, reviewed }: VersionListProps) {
  const place = usePlace('versions');
  const [result, read] = useQuery({ query: versionsQuery, variables: versionPage(slug, place.after) });
  const newest = result.data?.profileVersions.edges[0]?.node.profile.version;
  const isOutdated = place.after === null && newest !== undefined && newest !== current;
  useEffect(() => {
    if (isOutdated) read({ requestPolicy: 'network-only' });
  }, [isOutdated, read]);
  return (
    <Panel
      title="Versions"
      lead="Each version is a snapshot and never changes. Users consent to the version that is current at the time; a later version never widens their consent."
    >
      <LoadedList place={place} result={result} onRetry={() => read({ requestPolicy: 'network-only' })}>
        {({ profileVersions }) => (
          <PagedList label="Versions" place={place} page={profileVersions} none={null}>
            {(versions) => (
              <Stack gap="lg">
                {versions.map((node) => (
                  <Version key={node.profile.version} {...{ node, current, reviewed }} />
                ))}
              </Stack>
            )}
          </PagedList>
        )}
      </LoadedList>
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
          <Time value={createdAt} />
        </Text>
      </div>
      {changes.length > 0 ? <ChangeList changes={changes} /> : <Text size="sm">The first version.</Text>}
    </article>
  );
}

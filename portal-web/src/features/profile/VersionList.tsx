import { Stack, Text, Title } from '@mantine/core';
import { PagedList } from '../../ui/lists/PagedList.tsx';
import type { Place } from '../../ui/lists/usePlace.ts';
import { Panel } from '../../ui/layout/Panel.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { StatusBadge } from '../../ui/values/StatusBadge.tsx';
import { ChangeList } from './ChangeList.tsx';
import type { RevisedProfile, VersionPage } from './profileQueries.ts';
import classes from './VersionList.module.css';

type VersionListProps = { page: VersionPage; place: Place; current: number; reviewed: number | null };

/** A page of the profile's versions, newest first, each with what it changed. */
export function VersionList({ page, place, current, reviewed }: VersionListProps) {
  return (
    <Panel
      title="Versions"
      lead="Each version is a snapshot and never changes. Users consent to the version that is current at the time; a later version never widens their consent."
    >
      <PagedList label="Versions" {...{ page, place }} none={null}>
        {(versions) => (
          <Stack gap="lg">
            {versions.map((node) => (
              <Version key={node.profile.version} {...{ node, current, reviewed }} />
            ))}
          </Stack>
        )}
      </PagedList>
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
      {changes.length > 0 ? <ChangeList changes={changes} /> : <Text size="sm">The first version.</Text>}
    </article>
  );
}

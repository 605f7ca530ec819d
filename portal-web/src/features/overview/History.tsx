import { Button, Text } from '@mantine/core';
import { IconArrowBackUp, IconBan, IconCheck, IconLock, IconLockOpen, IconPlus, IconSend, type TablerIcon } from '@tabler/icons-react';
import { useState } from 'react';
import { Fold } from '../../ui/layout/Fold.tsx';
import { Time } from '../../ui/time/Time.tsx';
import type { Integration } from '../integration/integrationQuery.ts';
import classes from './History.module.css';

type Entry = Integration['timeline'][number];

const steps: Record<Entry['step'], { word: string; Icon: TablerIcon }> = {
  created: { word: 'Created with a sandbox', Icon: IconPlus },
  submitted: { word: 'Submitted for production review', Icon: IconSend },
  rejected: { word: 'Rejected', Icon: IconArrowBackUp },
  withdrawn: { word: 'Submission withdrawn', Icon: IconArrowBackUp },
  approved: { word: 'Approved', Icon: IconCheck },
  activated: { word: 'Activated for production', Icon: IconCheck },
  suspended: { word: 'Suspended', Icon: IconBan },
  reactivated: { word: 'Reactivated', Icon: IconCheck },
  retired: { word: 'Retired', Icon: IconBan },
  gateOpened: { word: 'Production gate opened', Icon: IconLockOpen },
  gateClosed: { word: 'Production gate closed', Icon: IconLock },
};

const authors: Record<Entry['by'], string> = { owner: 'by you', staff: 'by staff', service: 'automatically' };

/** How many entries are shown at first. */
const latest = 5;

/** What has become of the integration so far, the latest first; folded. */
export function History({ timeline }: Pick<Integration, 'timeline'>) {
  const [all, setAll] = useState(false);
  const shown = all ? timeline : timeline.slice(0, latest);
  return (
    <Fold summary={`History (${timeline.length})`}>
      <ol className={classes.list}>
        {shown.map((entry) => (
          <TimelineItem key={`${entry.at} ${entry.step}`} entry={entry} />
        ))}
      </ol>
      {shown.length < timeline.length && (
        <Button variant="default" size="xs" mt="md" onClick={() => setAll(true)}>
          Show all {timeline.length} steps
        </Button>
      )}
    </Fold>
  );
}

function TimelineItem({ entry: { step, at, by, reason } }: { entry: Entry }) {
  const { word, Icon } = steps[step];
  return (
    <li className={classes.entry}>
      <Icon size={20} aria-hidden />
      <div>
        <Text fw={600}>{word}</Text>
        <Text size="sm" c="dimmed" component="div">
          <Time value={at} />, {authors[by]}
        </Text>
        {reason && (
          <Text size="sm" mt={4} className={classes.reason}>
            {reason}
          </Text>
        )}
      </div>
    </li>
  );
}

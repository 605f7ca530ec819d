import { Button, Text } from '@mantine/core';
import {
  IconArrowBackUp,
  IconBan,
  IconCheck,
  IconCircleDashed,
  IconLock,
  IconLockOpen,
  IconPlus,
  IconSend,
  type TablerIcon,
} from '@tabler/icons-react';
import { useState } from 'react';
import { Panel } from '../../ui/layout/Panel.tsx';
import { RelativeTime } from '../../ui/time/RelativeTime.tsx';
import { comingStep } from './comingStep.ts';
import type { Integration } from '../integration/integrationQuery.ts';
import classes from './StatusTimeline.module.css';

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
const latest = 3;

/** The history of an integration, and what comes next. */
export function StatusTimeline({ integration }: { integration: Integration }) {
  const { timeline } = integration;
  const [all, setAll] = useState(false);
  const shown = all ? timeline : timeline.slice(0, latest);
  const coming = comingStep(integration);
  return (
    <Panel title="History">
      <ol className={classes.list}>
        {coming && (
          <li className={classes.entry} data-coming>
            <IconCircleDashed size={20} aria-hidden />
            <div>
              <Text fw={600}>Next status change</Text>
              <Text size="sm">{coming}</Text>
            </div>
          </li>
        )}
        {shown.map((entry) => (
          <TimelineItem key={`${entry.at} ${entry.step}`} entry={entry} />
        ))}
      </ol>
      {shown.length < timeline.length && (
        <Button variant="default" size="xs" mt="md" onClick={() => setAll(true)}>
          Show all {timeline.length} steps
        </Button>
      )}
    </Panel>
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
          <RelativeTime value={at} />, {authors[by]}
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

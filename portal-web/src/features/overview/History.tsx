import { Button } from '@mantine/core';
import { useState } from 'react';
import { Fold } from '../../ui/layout/Fold.tsx';
import { Timeline, type TimelineEntry } from '../../ui/time/Timeline.tsx';
import type { StatusTone } from '../../ui/values/statusTone.ts';
import type { Integration } from '../integration/integrationQuery.ts';

type Entry = Integration['timeline'][number];

const steps: Record<Entry['step'], { word: string; tone: StatusTone }> = {
  created: { word: 'Created with a sandbox', tone: 'neutral' },
  submitted: { word: 'Submitted for production review', tone: 'waiting' },
  rejected: { word: 'Rejected', tone: 'bad' },
  withdrawn: { word: 'Submission withdrawn', tone: 'neutral' },
  approved: { word: 'Approved', tone: 'good' },
  activated: { word: 'Activated for production', tone: 'good' },
  suspended: { word: 'Suspended', tone: 'bad' },
  reactivated: { word: 'Reactivated', tone: 'good' },
  retired: { word: 'Retired', tone: 'stopped' },
  gateOpened: { word: 'Production gate opened', tone: 'good' },
  gateClosed: { word: 'Production gate closed', tone: 'stopped' },
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
      <Timeline label="History" entries={shown.map(entryOf)} />
      {shown.length < timeline.length && (
        <Button variant="default" size="xs" mt="md" onClick={() => setAll(true)}>
          Show all {timeline.length} steps
        </Button>
      )}
    </Fold>
  );
}

function entryOf({ step, at, by, reason }: Entry): TimelineEntry {
  const { word, tone } = steps[step];
  return { key: `${at} ${step}`, tone, what: word, at, by: authors[by], more: reason };
}

import { Anchor, Button, Text } from '@mantine/core';
import { IconAlertTriangle, IconClockHour4, IconCircleHalf2 } from '@tabler/icons-react';
import { Link } from 'react-router';
import { integrationPaths } from '../../paths.ts';
import { pressingWithin } from '../../../../server/domain/notification/words/attentionKinds.ts';
import { Time } from '../../ui/time/Time.tsx';
import { useNow } from '../../ui/time/useNow.ts';
import { useIntegrationPaths, useReadOnly } from '../integration/ownerView.ts';
import { actPath, tabPath } from './actPath.ts';
import type { AttentionItem } from './attentionFragment.ts';
import { DueTime } from './DueTime.tsx';
import { signalTones } from './healthWords.ts';
import classes from './NeedsYou.module.css';

type NeedsYouProps = {
  items: readonly AttentionItem[];
  label?: string;
  /** Whether the explanations are shown, too. */
  full?: boolean;
  /** Whether they stand on a page of the integration that they are about. */
  within?: boolean;
};

/** What needs the reader: each with its integration, its deadline and its one act. */
export function NeedsYou({ items, label, full = false, within = false }: NeedsYouProps) {
  const to = useIntegrationPaths();
  const readOnly = useReadOnly();
  const now = useNow();
  return (
    <ul className={classes.list} aria-label={label}>
      {items.map((item) => (
        <li key={item.id} className={classes.item} data-tone={isPressing(item, now) ? 'bad' : signalTones[item.level]}>
          <Mark level={item.level} />
          <div className={classes.words}>
            <Text size="sm" fw={650} component="span">
              {item.title}
            </Text>
            {item.integration && !within && <Owner item={item} integration={item.integration} />}
            {item.detail && !within && <Text size="sm">{item.detail}</Text>}
            {full && (
              <Text size="sm" c="dimmed" maw={640} mt={2}>
                {item.text}
              </Text>
            )}
          </div>
          <When item={item} pressing={isPressing(item, now)} />
          {!readOnly && (
            <Button
              component={Link}
              to={within ? tabPath(item.act, to) : actPath(item)}
              variant="default"
              size="xs"
              className={classes.act}
              aria-label={labelOf(item)}
            >
              {item.act.label}
            </Button>
          )}
        </li>
      ))}
    </ul>
  );
}

/** Whether it fails, or is due so soon that it stands above what fails. */
function isPressing({ level, deadline }: Pick<AttentionItem, 'level' | 'deadline'>, now: Date): boolean {
  return level === 'failing' || (deadline !== null && Date.parse(deadline) - now.getTime() <= pressingWithin);
}

/** Several lines may have the same button, so its name says of what. */
function labelOf({ act, title, integration }: AttentionItem): string {
  return `${act.label}: ${title}${integration ? `, ${integration.publicName}` : ''}`;
}

const marks = {
  failing: [IconAlertTriangle, 'Failing'],
  attention: [IconClockHour4, 'To do'],
  settingUp: [IconCircleHalf2, 'Setting up'],
} as const;

function Mark({ level }: Pick<AttentionItem, 'level'>) {
  const [Icon, word] = marks[level];
  return <Icon size={18} className={classes.mark} role="img" aria-label={word} />;
}

function Owner({ item, integration }: { item: AttentionItem; integration: NonNullable<AttentionItem['integration']> }) {
  const { slug, publicName } = integration;
  return (
    <Text size="sm" component="span" className={classes.owner}>
      {item.act.page === 'submission' ? (
        publicName
      ) : (
        <Anchor component={Link} to={integrationPaths(slug).overview()} inherit>
          {publicName}
        </Anchor>
      )}
    </Text>
  );
}

/** What has happened at a moment, and is no state that lasts. */
const events: readonly string[] = ['failedJobs', 'gatesMoved'] satisfies AttentionItem['kind'][];

function When({ item: { kind, title, deadline, since, act }, pressing }: { item: AttentionItem; pressing: boolean }) {
  return (
    <Text size="sm" c={pressing ? undefined : 'dimmed'} component="span" className={classes.when}>
      {since && events.includes(kind) ? <Time value={since} /> : <DueTime {...{ title, deadline, since, act }} />}
    </Text>
  );
}

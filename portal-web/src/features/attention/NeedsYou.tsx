import { Anchor, Button, Text } from '@mantine/core';
import { IconAlertTriangle, IconClockHour4, IconCircleHalf2 } from '@tabler/icons-react';
import { Link } from 'react-router';
import { integrationPaths, paths } from '../../paths.ts';
import { counted } from '../../ui/text/counted.ts';
import { useNow } from '../../ui/time/useNow.ts';
import { useIntegrationPaths, useReadOnly } from '../integration/ownerView.ts';
import { actPath, tabPath } from './actPath.ts';
import type { AttentionItem, NeedLine, Together } from './attentionFragment.ts';
import { DueTime } from './DueTime.tsx';
import { isPressing, signalTones } from './healthWords.ts';
import classes from './NeedsYou.module.css';

type NeedsYouProps = {
  items: readonly NeedLine[];
  label?: string;
  /** Whether the explanations are shown, too. */
  full?: boolean;
  /** Whether they stand on a page of the integration that they are about. */
  within?: boolean;
  /** Whether what each is about stands in a column of its own, where there is room. */
  topics?: boolean;
  /** What asks for deletions, in one line `before` so many of the others. */
  deletions?: Together | null;
};

/** What needs the reader: each with its integration, its deadline and its one act. */
export function NeedsYou({ items, label, deletions, topics = false, ...how }: NeedsYouProps) {
  const before = deletions?.before ?? items.length;
  const linesOf = (some: readonly NeedLine[]) => some.map((item) => <Need key={item.id} item={item} {...how} />);
  return (
    <ul className={classes.list} aria-label={label} data-topics={topics || undefined}>
      {linesOf(items.slice(0, before))}
      {deletions && <EverythingToDelete {...deletions} />}
      {linesOf(items.slice(before))}
    </ul>
  );
}

function Need({ item, full = false, within = false }: Pick<NeedsYouProps, 'full' | 'within'> & { item: NeedLine }) {
  const to = useIntegrationPaths();
  const readOnly = useReadOnly();
  const now = useNow();
  return (
    <li className={classes.item} data-tone={isPressing(item, now) ? 'bad' : signalTones[item.level]}>
      <Mark level={item.level} />
      <Topic of={item} />
      <div className={classes.words}>
        {item.integration && !within && <Owner item={item} integration={item.integration} />}{' '}
        <Text size="sm" fw={650} component="span">
          {item.title}
        </Text>
        <When item={item} pressing={isPressing(item, now)} />
        {item.detail && !within && <Text size="sm">{item.detail}</Text>}
        {full && (
          <Text size="sm" c="dimmed" maw={640} mt={2}>
            {item.text}
          </Text>
        )}
      </div>
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
  );
}

/** All that is to be deleted and by when, with a row for each integration. Their numbers add up to that in the title. */
function EverythingToDelete({ items, inAll, more }: Together) {
  const now = useNow();
  const pressing = items.some((item) => isPressing(item, now));
  return (
    <li className={classes.item} data-tone={pressing ? 'bad' : 'waiting'}>
      <Mark level={inAll.overdue > 0 ? 'failing' : 'attention'} />
      {items[0] && <Topic of={items[0]} />}
      <div className={classes.words}>
        <Text size="sm" fw={650} component="span" id="everything-to-delete">
          {deletionWords(inAll)}
          {inAll.overdue > 0 && `, ${inAll.overdue.toLocaleString('en')} overdue`}
        </Text>
      </div>
      <ul className={classes.rows} aria-labelledby="everything-to-delete">
        {items.map((item) => (
          <li key={item.id} className={classes.row}>
            <Text size="sm" component="span" className={classes.what}>
              {item.integration && (
                <Anchor component={Link} to={integrationPaths(item.integration.slug).overview()} inherit>
                  {item.integration.publicName}
                </Anchor>
              )}{' '}
              delete {item.deletions?.words}
              {item.deletions?.retired && ' (retired)'},
              <When item={{ ...item, act: null }} pressing={isPressing(item, now)} />
              {item.deletions?.subjectId && (
                <Text size="xs" c="dimmed" component="span">
                  {' '}
                  {item.deletions.subjectId}
                </Text>
              )}
            </Text>
            <Button component={Link} to={actPath(item)} variant="default" size="xs" className={classes.act} aria-label={labelOf(item)}>
              {item.act.label}
            </Button>
          </li>
        ))}
        {more.count > 0 && (
          <li>
            <Anchor component={Link} to={paths.inbox} size="sm">
              {deletionWords(more).replace(' ', ' more ')}: see the inbox
            </Anchor>
          </li>
        )}
      </ul>
    </li>
  );
}

/** As in “4 deletions in 3 integrations”. */
const deletionWords = ({ count, integrations }: Together['more']): string =>
  `${counted(count, 'deletion')} in ${counted(integrations, 'integration')}`;

/** Several lines may have the same button, so its name says of what. */
function labelOf({ act, title, integration }: NeedLine): string {
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

const Topic = ({ of: { topic } }: { of: NeedLine }) => (
  <Text size="sm" fw={650} component="span" className={classes.topic}>
    {topic}
  </Text>
);

function Owner({ item, integration }: { item: NeedLine; integration: NonNullable<NeedLine['integration']> }) {
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

type WhenProps = { item: Parameters<typeof DueTime>[0]; pressing: boolean };

/** Stands behind what it is the time of. */
function When({ item: { timeForm, deadline, since, act }, pressing }: WhenProps) {
  return (
    <>
      {' '}
      <Text size="sm" c={pressing || timeForm === 'inTitle' ? undefined : 'dimmed'} component="span" className={classes.when}>
        <DueTime {...{ timeForm, deadline, since, act }} />
      </Text>
    </>
  );
}

import { Anchor, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { Link } from 'react-router';
import { counted } from '../../ui/text/counted.ts';
import { percentWords } from '../../ui/text/percentWords.ts';
import { Time } from '../../ui/time/Time.tsx';
import { InlineMarkdown } from '../markdown/Markdown.tsx';
import { AnswerWords } from './AnswerWords.tsx';
import classes from './ErrorGroups.module.css';
import { operationWords } from './operationPaths.ts';
import type { ErrorGroup } from './usageQueries.ts';

const most = 3;

type ErrorGroupsProps = {
  groups: readonly ErrorGroup[];
  lastRequestAt: string | null;
  /** Why every call is refused, which the page says itself; null where calls are answered. */
  refusedBecause: string | null;
  /** The address of the log with the group’s requests. */
  toRequests: (group: ErrorGroup) => string;
};

/** What is refused or fails now, by cause, each with what to mend; or that nothing is. */
export function ErrorGroups({ groups, lastRequestAt, refusedBecause, toRequests }: ErrorGroupsProps) {
  const [all, setAll] = useState(false);
  const open = groups.filter((group) => group.open);
  if (open.length === 0) return <NothingRefused {...{ groups, lastRequestAt, refusedBecause }} />;
  const shown = all ? open : open.slice(0, most);
  return (
    <section aria-label="What is refused or fails">
      {/* Several causes leave no room for it. */}
      {shown.length === 1 && <Text fw={600}>Calls are refused or fail now.</Text>}
      <ul className={classes.groups} data-several={shown.length > 1 || undefined}>
        {shown.map((group) => (
          <li key={group.id} className={classes.group}>
            <div className={classes.line}>
              <AnswerWords status={group.status} title={group.title} />
              <code className={classes.operation}>{operationWords(group.operation)}</code>
              <Anchor component={Link} to={toRequests(group)} size="sm">
                {countWords(group)}
              </Anchor>
            </div>
            <Cure group={group} alone={shown.length === 1} />
          </li>
        ))}
      </ul>
      {open.length > most && (
        <Button variant="subtle" size="compact-sm" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? 'Show the first three causes' : `Show ${counted(open.length - most, 'more cause')}`}
        </Button>
      )}
    </section>
  );
}

/** What to do, why, and when it was. Of several causes, why is left out, since there may be little room; each request says it. */
function Cure({ group, alone }: { group: ErrorGroup; alone: boolean }) {
  return (
    <div className={classes.cure}>
      {group.advice && (
        <span className={classes.advice}>
          <InlineMarkdown source={group.advice} />
        </span>
      )}{' '}
      {alone && group.reason} <Since group={group} />
    </div>
  );
}

/** When it was first and last seen, whether the operation works again, and with which certificate. */
function Since({ group: { serial, firstAt, lastAt, count, answeredAt } }: { group: ErrorGroup }) {
  return (
    <>
      {count > 1 && (
        <>
          First <Time value={firstAt} />, last{' '}
        </>
      )}
      {count === 1 && 'Once, '}
      <Time value={lastAt} />
      {answeredAt && ', answered again since'}
      {serial && `, certificate …${serial.slice(-8)}`}.
    </>
  );
}

function NothingRefused({ groups, lastRequestAt, refusedBecause }: Pick<ErrorGroupsProps, 'groups' | 'lastRequestAt' | 'refusedBecause'>) {
  // Why every call is refused has been said, and without a call on record there is nothing to add.
  if (refusedBecause !== null && !lastRequestAt) return null;
  const last = groups.toSorted((one, other) => other.lastAt.localeCompare(one.lastAt))[0];
  return (
    <section aria-label="What is refused or fails">
      {refusedBecause === null && <Text fw={600}>{lastRequestAt ? 'Nothing is refused or fails now.' : 'No call has come yet.'}</Text>}
      {lastRequestAt && (
        <Text size="sm" c="dimmed">
          The last call was <Time value={lastRequestAt} />.
          {last && (
            <>
              {' '}
              The last problem, {last.status} {last.title} on <code>{operationWords(last.operation)}</code>, was{' '}
              <Time value={last.lastAt} />
              {last.answeredAt ? ', and the operation has been answered since.' : '.'}
            </>
          )}
        </Text>
      )}
    </section>
  );
}

/** How many there are, as in "34 requests, 12% of all in 24 hours". */
function countWords({ count, more, share }: Pick<ErrorGroup, 'count' | 'more' | 'share'>): string {
  const number = `${more ? 'the last ' : ''}${counted(count, 'request')}`;
  if (share === null) return number;
  return `${number}, ${percentWords(share)} of all in 24 hours`;
}

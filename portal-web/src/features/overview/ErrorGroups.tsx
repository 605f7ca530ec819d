import { Anchor, Text } from '@mantine/core';
import { Link } from 'react-router';
import { Time } from '../../ui/time/Time.tsx';
import { useIntegrationPaths } from '../integration/ownerView.ts';
import classes from './ErrorGroups.module.css';
import type { OverviewClient } from './overviewQuery.ts';

/** Why requests were refused or failed in the last day, each cause with its cure and a link to its requests. The first open one is explained. */
export function ErrorGroups({ client: { environment, errorGroups } }: { client: OverviewClient }) {
  const to = useIntegrationPaths();
  if (errorGroups.length === 0) return null;
  return (
    <ul className={classes.list} aria-label="Causes of refused and failed requests">
      {errorGroups.map(({ id, problem, status, operation, serial, count, lastAt, open, title, advice }, place) => (
        <li key={id} data-open={open || undefined} data-server={status >= 500 || undefined}>
          <div className={classes.head}>
            <Anchor
              component={Link}
              to={to.requests({ environment, ...(problem && { problem }), operation, ...(serial && { serial }) })}
              fw={open ? 600 : 400}
            >
              {count.toLocaleString('en')} × {title}
            </Anchor>
            <Text size="sm" c="dimmed" component="span">
              {operation}, {status}, {open ? 'last' : 'over since'} <Time value={lastAt} />
            </Text>
          </div>
          {open && place === 0 && advice && (
            <Text size="sm" maw={640}>
              {advice.split('`').map((part, at) => (at % 2 === 1 ? <code key={part}>{part}</code> : part))}
            </Text>
          )}
        </li>
      ))}
    </ul>
  );
}

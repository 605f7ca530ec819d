import { IconInbox } from '@tabler/icons-react';
import { NavLink } from 'react-router';
import { graphql } from '../../graphql/graphql.ts';
import { usePolledQuery } from '../../graphql/usePolledQuery.ts';
import { paths } from '../../paths.ts';
import classes from './InboxLink.module.css';

const inboxCountQuery = graphql(`
  query InboxCount {
    viewer {
      attentionCount
      unreadNews
    }
  }
`);

const always = () => true;

/** The way to the inbox, with the number of things that need the reader. News alone are a dot. */
export function InboxLink() {
  const [{ data }] = usePolledQuery({ query: inboxCountQuery, variables: {}, whileTrue: always, every: 60_000 });
  const count = data?.viewer?.attentionCount ?? 0;
  const unread = data?.viewer?.unreadNews ?? 0;
  return (
    <NavLink to={paths.inbox} className={classes.link} aria-label={nameOf(count, unread)} title="Inbox">
      <IconInbox size={20} stroke={1.75} aria-hidden />
      {count > 0 && <span className={classes.count}>{count > 99 ? '99+' : count}</span>}
      {count === 0 && unread > 0 && <span className={classes.dot} />}
    </NavLink>
  );
}

function nameOf(count: number, unread: number): string {
  const needs = count === 0 ? [] : [`${count} ${count === 1 ? 'thing needs' : 'things need'} you`];
  return ['Inbox', ...needs, ...(unread > 0 ? ['unread news'] : [])].join(', ');
}

import { IconInbox } from '@tabler/icons-react';
import { NavLink } from 'react-router';
import { paths } from '../../paths.ts';
import classes from './InboxLink.module.css';

/** The way to the inbox, with the number of things that need the reader. News alone are a dot. */
export function InboxLink({ needs, unread }: { needs: number; unread: number }) {
  return (
    <NavLink to={paths.inbox} className={classes.link} aria-label={nameOf(needs, unread)} title="Inbox">
      <IconInbox size={20} stroke={1.75} aria-hidden />
      {needs > 0 && <span className={classes.count}>{needs > 99 ? '99+' : needs}</span>}
      {needs === 0 && unread > 0 && <span className={classes.dot} />}
    </NavLink>
  );
}

function nameOf(count: number, unread: number): string {
  const needs = count === 0 ? [] : [`${count} ${count === 1 ? 'thing needs' : 'things need'} you`];
  return ['Inbox', ...needs, ...(unread > 0 ? ['unread news'] : [])].join(', ');
}

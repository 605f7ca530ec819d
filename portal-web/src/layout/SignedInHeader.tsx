import { IconInbox } from '@tabler/icons-react';
import { useEffect } from 'react';
import { NavLink, useNavigate } from 'react-router';
import inboxLinkClasses from '../features/attention/InboxLink.module.css';
import { FindBox } from '../features/find/FindBox.tsx';
import { forgetRecent } from '../features/find/paletteActs.ts';
import type { Viewer } from '../features/session/SessionContext.ts';
import { paths } from '../paths.ts';
import { shortcutFor, switchShortcuts } from '../ui/keys/shortcuts.ts';
import { useShortcuts } from '../ui/keys/useShortcuts.ts';
import { AccountMenu } from './AccountMenu.tsx';
import classes from './Header.module.css';
import { mainLinks } from './mainLinks.ts';

/** What the header has for whoever is signed in. It is loaded after signing in, so that the sign-in page does without. */
export function SignedInHeader({ viewer }: { viewer: Viewer }) {
  useSingleKeys(viewer.singleKeys);
  useGoKeys(viewer.roles);
  useEffect(() => forgetRecent, []);
  return (
    <>
      <nav aria-label="Main" className={classes.nav}>
        {mainLinks(viewer.roles).map(({ word, to }) => (
          <NavLink key={to} to={to} className={classes.link}>
            {word}
          </NavLink>
        ))}
      </nav>
      <div className={classes.tools}>
        <FindBox />
        <InboxLink needs={viewer.attentionCount} unread={viewer.unreadNews} />
        <AccountMenu viewer={viewer} />
      </div>
    </>
  );
}

/** Listens to single keys for as long as somebody is signed in who wants them. */
function useSingleKeys(on: boolean): void {
  useEffect(() => {
    switchShortcuts(on);
    const press = (event: KeyboardEvent) => {
      const shortcut = event.defaultPrevented ? null : shortcutFor(event);
      if (!shortcut) return;
      event.preventDefault();
      shortcut.run();
    };
    window.addEventListener('keydown', press);
    return () => {
      switchShortcuts(false);
      window.removeEventListener('keydown', press);
    };
  }, [on]);
}

function useGoKeys(roles: readonly string[]): void {
  const navigate = useNavigate();
  const to = (path: string) => () => void navigate(path);
  useShortcuts({
    'g i': { label: 'Go to your inbox', run: to(paths.inbox) },
    'g h': { label: 'Go to your integrations', run: to(paths.integrations) },
    ...(roles.includes('reviewer') && { 'g q': { label: 'Go to the review queue', run: to(paths.review) } }),
    ...(roles.includes('administrator') && { 'g a': { label: 'Go to administration', run: to(paths.admin) } }),
  });
}

/** The way to the inbox, with the number of things that need the reader. News alone are a dot. */
function InboxLink({ needs, unread }: { needs: number; unread: number }) {
  return (
    <NavLink to={paths.inbox} className={inboxLinkClasses.link} aria-label={nameOf(needs, unread)} title="Inbox">
      <IconInbox size={20} stroke={1.75} aria-hidden />
      {needs > 0 && <span className={inboxLinkClasses.count}>{needs > 99 ? '99+' : needs}</span>}
      {needs === 0 && unread > 0 && <span className={inboxLinkClasses.dot} />}
    </NavLink>
  );
}

function nameOf(count: number, unread: number): string {
  const needs = count === 0 ? [] : [`${count} ${count === 1 ? 'thing needs' : 'things need'} you`];
  return ['Inbox', ...needs, ...(unread > 0 ? ['unread news'] : [])].join(', ');
}

import { Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconInbox, IconUserCircle } from '@tabler/icons-react';
import { useEffect, useId, useRef, useState } from 'react';
import { NavLink, useLocation, useNavigate } from 'react-router';
import inboxLinkClasses from '../features/attention/InboxLink.module.css';
import { SearchBox } from '../features/search/SearchBox.tsx';
import { forgetRecent } from '../features/search/paletteActs.ts';
import type { Viewer } from '../features/session/SessionContext.ts';
import { SignOutButton } from '../features/session/SignOutButton.tsx';
import { SignOutQuestion } from '../features/session/SignOutQuestion.tsx';
import { paths } from '../paths.ts';
import { shortcutFor, switchShortcuts } from '../ui/keys/shortcuts.ts';
import { useShortcuts } from '../ui/keys/useShortcuts.ts';
import { ZoneSwitch } from '../ui/time/ZoneSwitch.tsx';
import accountMenuClasses from './AccountMenu.module.css';
import { Address } from '../ui/values/Address.tsx';
import { ColorSchemeSwitch } from './ColorSchemeSwitch.tsx';
import { KeysDialog } from './KeysDialog.tsx';
import { MainLink } from './MainLink.tsx';
import { mainLinks } from './mainLinks.ts';

/** What the header has for those who are signed in, beside its links. It is a script of its own, so that the sign-in page does without. */
export function SignedInHeader({ viewer }: { viewer: Viewer }) {
  useSingleKeys(viewer.singleKeys);
  useGoKeys(viewer.roles);
  useEffect(() => forgetRecent, []);
  return (
    <>
      <SearchBox label="Search or paste an ID" listens />
      <InboxLink needs={viewer.attentionCount} level={viewer.attentionLevel} unread={viewer.unreadNews} />
      <AccountMenu viewer={viewer} />
      <SignOutQuestion />
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

type InboxLinkProps = { needs: number; level: Viewer['attentionLevel']; unread: number };

/** The way to the inbox, with the number of things that need the reader in the colour of the most pressing. News alone are a dot. */
function InboxLink({ needs, level, unread }: InboxLinkProps) {
  return (
    <NavLink to={paths.inbox} className={inboxLinkClasses.link} aria-label={nameOf(needs, unread)} title="Inbox">
      <IconInbox size={20} stroke={1.75} aria-hidden />
      {needs > 0 && (
        <span className={inboxLinkClasses.count} data-level={level}>
          {needs > 99 ? '99+' : needs}
        </span>
      )}
      {needs === 0 && unread > 0 && <span className={inboxLinkClasses.dot} />}
    </NavLink>
  );
}

function nameOf(count: number, unread: number): string {
  const needs = count === 0 ? [] : [`${count} ${count === 1 ? 'thing needs' : 'things need'} your attention`];
  return ['Inbox', ...needs, ...(unread > 0 ? ['unread news'] : [])].join(', ');
}

/**
 * What belongs to the reader: who is signed in, their own pages, the zone of all times, colours, keys, and the way out. Where the header has no room for its main
 * links, they are here, too. It closes on Esc, on a click beside it, and when another page opens.
 */
function AccountMenu({ viewer }: { viewer: Viewer }) {
  const [shown, setShown] = useState<string | null>(null);
  const [keys, setKeys] = useState(false);
  const { pathname } = useLocation();
  const opened = shown === pathname;
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useShortcuts({ '?': { label: 'Show the keyboard shortcuts', run: () => setKeys(true) } });
  useEffect(() => {
    if (!opened) return;
    const click = ({ target }: PointerEvent) => {
      if (!menu.current?.contains(target as Node)) setShown(null);
    };
    const press = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      setShown(null);
      button.current?.focus();
    };
    window.addEventListener('pointerdown', click);
    window.addEventListener('keydown', press);
    return () => {
      window.removeEventListener('pointerdown', click);
      window.removeEventListener('keydown', press);
    };
  }, [opened]);
  return (
    <div ref={menu} className={accountMenuClasses.root}>
      <UnstyledButton
        ref={button}
        className={accountMenuClasses.button}
        aria-expanded={opened}
        aria-controls={id}
        aria-label="Account menu"
        onClick={() => setShown(opened ? null : pathname)}
      >
        <IconUserCircle size={20} aria-hidden />
        <IconChevronDown size={14} aria-hidden />
      </UnstyledButton>
      <div id={id} className={accountMenuClasses.panel} hidden={!opened}>
        {opened && (
          <>
            <Text size="sm" fw={650} className={accountMenuClasses.address}>
              <Address value={viewer.email} />
            </Text>
            <nav aria-label="Account" className={accountMenuClasses.links}>
              {mainLinks(viewer.roles).map(({ word, to }) => (
                <MainLink key={to} to={to} className={accountMenuClasses.main}>
                  {word}
                </MainLink>
              ))}
              <NavLink to={paths.account}>Account</NavLink>
              <NavLink to={paths.activity}>Activity</NavLink>
            </nav>
            <div className={accountMenuClasses.zone}>
              <Text size="sm" component="span">
                Times
              </Text>
              <ZoneSwitch />
            </div>
            <div className={accountMenuClasses.foot}>
              <ColorSchemeSwitch />
              <UnstyledButton
                className={accountMenuClasses.keys}
                onClick={() => {
                  setShown(null);
                  setKeys(true);
                }}
              >
                Keyboard shortcuts
              </UnstyledButton>
              <SignOutButton />
            </div>
          </>
        )}
      </div>
      {keys && <KeysDialog on={viewer.singleKeys} onClose={() => setKeys(false)} />}
    </div>
  );
}

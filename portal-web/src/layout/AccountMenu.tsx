import { Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown, IconUserCircle } from '@tabler/icons-react';
import { lazy, Suspense, useEffect, useId, useRef, useState } from 'react';
import { NavLink, useLocation } from 'react-router';
import type { Viewer } from '../features/session/SessionContext.ts';
import { SignOutButton } from '../features/session/SignOutButton.tsx';
import { paths } from '../paths.ts';
import { useShortcuts } from '../ui/keys/useShortcuts.ts';
import classes from './AccountMenu.module.css';
import { ColorSchemeSwitch } from './ColorSchemeSwitch.tsx';
import { mainLinks } from './mainLinks.ts';

const KeysDialog = lazy(async () => ({ default: (await import('./KeysDialog.tsx')).KeysDialog }));

/**
 * What belongs to the reader: who is signed in, their own pages, colours, keys, and the way out. Where the header has no room for its main
 * links, they are here, too. It closes on Esc, on a click beside it, and when another page opens.
 */
export function AccountMenu({ viewer }: { viewer: Viewer }) {
  const [shown, setShown] = useState<string | null>(null);
  const [keys, setKeys] = useState(false);
  const { pathname } = useLocation();
  const opened = shown === pathname;
  const menu = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useShortcuts({ '?': { label: 'Show the keys', run: () => setKeys(true) } });
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
    <div ref={menu} className={classes.root}>
      <UnstyledButton
        ref={button}
        className={classes.button}
        aria-expanded={opened}
        aria-controls={id}
        aria-label="Account menu"
        onClick={() => setShown(opened ? null : pathname)}
      >
        <IconUserCircle size={20} aria-hidden />
        <IconChevronDown size={14} aria-hidden />
      </UnstyledButton>
      <div id={id} className={classes.panel} hidden={!opened}>
        <Text size="sm" fw={600} className={classes.address}>
          {viewer.email}
        </Text>
        <nav aria-label="Account" className={classes.links}>
          {mainLinks(viewer.roles).map(({ word, to }) => (
            <NavLink key={to} to={to} className={classes.main}>
              {word}
            </NavLink>
          ))}
          <NavLink to={paths.account}>Account</NavLink>
          <NavLink to={paths.activity}>Activity</NavLink>
        </nav>
        <div className={classes.foot}>
          <ColorSchemeSwitch />
          <UnstyledButton
            className={classes.keys}
            onClick={() => {
              setShown(null);
              setKeys(true);
            }}
          >
            Keys
          </UnstyledButton>
          <SignOutButton />
        </div>
      </div>
      {keys && (
        <Suspense>
          <KeysDialog on={viewer.singleKeys} onClose={() => setKeys(false)} />
        </Suspense>
      )}
    </div>
  );
}

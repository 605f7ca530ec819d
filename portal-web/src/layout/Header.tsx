import { Button, Container } from '@mantine/core';
import { lazy, Suspense } from 'react';
import { Link, NavLink, useLocation } from 'react-router';
import { useSession } from '../features/session/SessionContext.ts';
import { SignOutButton } from '../features/session/SignOutButton.tsx';
import { paths } from '../paths.ts';
import { ColorSchemeSwitch } from './ColorSchemeSwitch.tsx';
import classes from './Header.module.css';

const SignedInHeader = lazy(async () => ({ default: (await import('./SignedInHeader.tsx')).SignedInHeader }));

/** One line: the portal's name, its main links, the search, and what belongs to the reader. */
export function Header() {
  const { viewer, state } = useSession();
  const { pathname } = useLocation();
  const full = viewer?.kind === 'full';
  return (
    <header className={classes.header}>
      <Container size={1200} px={{ base: 16, sm: 24 }} className={classes.inner}>
        <Link to={full ? paths.integrations : paths.landing} className={classes.brand}>
          <img src="/assets/favicon-v1.svg" alt="" width={24} height={24} />
          <span className={full ? classes.name : undefined}>Operator portal</span>
        </Link>
        {full ? (
          <Suspense>
            <SignedInHeader viewer={viewer} />
          </Suspense>
        ) : (
          <>
            <nav aria-label="Main" className={classes.few}>
              <NavLink to={paths.docs} className={classes.link}>
                Docs
              </NavLink>
            </nav>
            <div className={classes.tools}>
              <ColorSchemeSwitch />
              {viewer && <SignOutButton />}
              {state === 'signed-out' && pathname !== paths.signIn && (
                <Button component={Link} to={paths.signIn} variant="default" size="xs">
                  Sign in
                </Button>
              )}
            </div>
          </>
        )}
      </Container>
    </header>
  );
}

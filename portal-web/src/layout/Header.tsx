import { Button, Container, Group, Text } from '@mantine/core';
import { Link, NavLink, useLocation } from 'react-router';
import { useSession } from '../features/session/SessionContext.ts';
import { SignOutButton } from '../features/session/SignOutButton.tsx';
import { paths } from '../paths.ts';
import { ColorSchemeSwitch } from './ColorSchemeSwitch.tsx';
import classes from './Header.module.css';

/** The portal's name, its main links, and who is signed in. */
export function Header() {
  const { viewer, state } = useSession();
  const { pathname } = useLocation();
  const full = viewer?.kind === 'full';
  const roles = full ? viewer.roles : [];
  return (
    <header className={classes.header}>
      <Container size={1080} px={{ base: 16, sm: 24 }} className={classes.inner}>
        <Link to={full ? paths.integrations : paths.landing} className={classes.brand}>
          <img src="/assets/favicon-v1.svg" alt="" width={28} height={28} />
          <span className={full ? classes.name : undefined}>Operator portal</span>
        </Link>
        <nav aria-label="Main" className={classes.nav}>
          {full && (
            <NavLink to={paths.integrations} className={classes.link}>
              Integrations
            </NavLink>
          )}
          {full && (
            <NavLink to={paths.activity} className={classes.link}>
              Activity
            </NavLink>
          )}
          {full && (
            <NavLink to={paths.account} className={classes.link}>
              Account
            </NavLink>
          )}
          {roles.includes('reviewer') && (
            <NavLink to={paths.review} className={classes.link}>
              Review
            </NavLink>
          )}
          {roles.includes('administrator') && (
            <NavLink to={paths.admin} className={classes.link}>
              Admin
            </NavLink>
          )}
          <NavLink to={paths.docs} className={classes.link}>
            Docs
          </NavLink>
        </nav>
        <Group gap="xs" wrap="nowrap" className={classes.account}>
          {viewer && (
            <Text size="sm" c="dimmed" truncate maw={240} visibleFrom="sm" title={viewer.email}>
              {viewer.email}
            </Text>
          )}
          <ColorSchemeSwitch />
          {viewer && <SignOutButton />}
          {state === 'signed-out' && pathname !== paths.signIn && (
            <Button component={Link} to={paths.signIn} variant="default" size="xs">
              Sign in
            </Button>
          )}
        </Group>
      </Container>
    </header>
  );
}

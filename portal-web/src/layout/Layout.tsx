import { Anchor, Container, Text } from '@mantine/core';
import { Link, Outlet, useMatch } from 'react-router';
import { paths } from '../paths.ts';
import { Header } from './Header.tsx';
import classes from './Layout.module.css';
import { UpdateNotice } from './UpdateNotice.tsx';
import { useReadersPlace } from './useReadersPlace.ts';

/** What surrounds every page: skip link, header, main, footer. */
export function Layout() {
  // Known from the address, so that the header does not move once the submission is there.
  const wide = useMatch(paths.submission(':id'))?.params.id?.startsWith('sub_') === true;
  useReadersPlace();
  return (
    <div className={classes.page} data-wide={wide || undefined}>
      <a className={classes.skip} href="#main" onClick={skipToMain}>
        Skip to content
      </a>
      <Header />
      <UpdateNotice />
      <main id="main" tabIndex={-1} className={classes.main}>
        <Container size={1200} px={{ base: 16, sm: 24 }}>
          <Outlet />
        </Container>
      </main>
      <footer className={classes.footer}>
        <Container size={1200} px={{ base: 16, sm: 24 }}>
          <Text size="sm" c="dimmed">
            Operator portal.{' '}
            <Anchor component={Link} to={paths.docs} size="sm">
              Documentation
            </Anchor>
            . The machine API is described in the{' '}
            <Anchor href={paths.openApi} size="sm">
              OpenAPI description
            </Anchor>
            .
          </Text>
        </Container>
      </footer>
    </div>
  );
}

function skipToMain(event: React.MouseEvent) {
  // Moves the focus without changing the address, which belongs to the router.
  event.preventDefault();
  document.getElementById('main')?.focus();
}

import { Anchor, Container, Text } from '@mantine/core';
import { Outlet, ScrollRestoration } from 'react-router';
import { Header } from './Header.tsx';
import classes from './Layout.module.css';

/** What surrounds every page: skip link, header, main, footer. */
export function Layout() {
  return (
    <div className={classes.page}>
      <a className={classes.skip} href="#main" onClick={skipToMain}>
        Skip to the content
      </a>
      <Header />
      <main id="main" tabIndex={-1} className={classes.main}>
        <Container size={1080} px={{ base: 16, sm: 24 }}>
          <Outlet />
        </Container>
      </main>
      <footer className={classes.footer}>
        <Container size={1080} px={{ base: 16, sm: 24 }}>
          <Text size="sm" c="dimmed">
            Operator portal. The machine contract is the{' '}
            <Anchor href="/openapi.json" size="sm">
              OpenAPI description
            </Anchor>
            .
          </Text>
        </Container>
      </footer>
      <ScrollRestoration />
    </div>
  );
}

function skipToMain(event: React.MouseEvent) {
  // Moves the focus without touching the address, which the router owns.
  event.preventDefault();
  document.getElementById('main')?.focus();
}

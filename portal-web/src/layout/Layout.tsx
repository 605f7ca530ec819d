import { Button, Container, Group, Text } from '@mantine/core';
import { lazy, memo, Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Link, NavigationType, Outlet, useLocation, useMatch, useNavigationType } from 'react-router';
import { useSession, type Viewer } from '../features/session/SessionContext.ts';
import { SignOutButton } from '../features/session/SignOutButton.tsx';
import { onOutdated } from '../graphql/client.ts';
import { paths } from '../paths.ts';
import { PageLoading } from '../ui/states/PageLoading.tsx';
import { ColorSchemeSwitch } from './ColorSchemeSwitch.tsx';
import { Footer } from './Footer.tsx';
import headerClasses from './Header.module.css';
import classes from './Layout.module.css';
import { loadedSignedInHeader, loadSignedInHeader } from './loadSignedInHeader.ts';
import { MainLink } from './MainLink.tsx';
import { mainLinks } from './mainLinks.ts';
import updateNoticeClasses from './UpdateNotice.module.css';

/** What surrounds every page: skip link, header, main, footer. */
export function Layout() {
  // Known from the address, so that the header does not move once the submission is there.
  const wide = useMatch(paths.submission(':id'))?.params.id?.startsWith('sub_') === true;
  useScrollRestoration();
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
      <Footer />
    </div>
  );
}

/** What is shown before it is known who reads: the line of the header, and the page's placeholder. */
export function LayoutLoading() {
  return (
    <div className={classes.page}>
      <div className={headerClasses.header}>
        <div className={headerClasses.inner} />
      </div>
      <div className={classes.main}>
        <Container size={1200} px={{ base: 16, sm: 24 }}>
          <PageLoading whole />
        </Container>
      </div>
    </div>
  );
}

function skipToMain(event: React.MouseEvent) {
  // Moves the focus without changing the address, which belongs to the router.
  event.preventDefault();
  document.getElementById('main')?.focus();
}

/** Offers to reload the page once the service has refused one of its operations because the portal was updated. Nobody is forced to. */
function UpdateNotice() {
  const [outdated, setOutdated] = useState(false);
  useEffect(() => onOutdated(() => setOutdated(true)), []);
  return (
    <div role="status" className={outdated ? updateNoticeClasses.notice : undefined}>
      {outdated && (
        <Container size={1200} px={{ base: 16, sm: 24 }}>
          <Group justify="space-between" gap="sm">
            <Text size="sm">
              The portal has been updated since you opened this page. What you have entered here and not saved will be lost when you reload
              it.
            </Text>
            <Button size="xs" onClick={() => window.location.reload()}>
              Reload the page
            </Button>
          </Group>
        </Container>
      )}
    </div>
  );
}

const LazySignedInHeader = lazy(async () => ({ default: (await loadSignedInHeader()).SignedInHeader }));

function SignedInTools({ viewer }: { viewer: Viewer }) {
  const [Tools] = useState(() => loadedSignedInHeader() ?? LazySignedInHeader);
  return (
    <Suspense>
      <Tools viewer={viewer} />
    </Suspense>
  );
}

/** One line: the portal's name, its main links, the search, and what belongs to the reader. No navigation renders it again. */
const Header = memo(function Header() {
  const { viewer, state } = useSession();
  const full = viewer?.kind === 'full';
  return (
    <header className={headerClasses.header}>
      <Container size={1200} px={{ base: 16, sm: 24 }} className={headerClasses.inner}>
        <Link to={full ? paths.integrations : paths.landing} className={headerClasses.brand}>
          <img src="/assets/favicon-v1.svg" alt="" width={24} height={24} />
          <span className={full ? headerClasses.name : undefined}>Operator portal</span>
        </Link>
        {full ? (
          <>
            <nav aria-label="Main" className={headerClasses.nav}>
              {mainLinks(viewer.roles).map(({ word, to }) => (
                <MainLink key={to} to={to} className={headerClasses.link}>
                  {word}
                </MainLink>
              ))}
            </nav>
            <div className={headerClasses.tools}>
              <SignedInTools viewer={viewer} />
            </div>
          </>
        ) : (
          <>
            <nav aria-label="Main" className={headerClasses.few}>
              <MainLink to={paths.docs} className={headerClasses.link}>
                Docs
              </MainLink>
            </nav>
            <div className={headerClasses.tools}>
              <ColorSchemeSwitch />
              {viewer && <SignOutButton />}
              {state === 'signed-out' && <SignInLink />}
            </div>
          </>
        )}
      </Container>
    </header>
  );
});

function SignInLink() {
  if (useLocation().pathname === paths.signIn) return null;
  return (
    <Button component={Link} to={paths.signIn} variant="default" size="xs">
      Sign in
    </Button>
  );
}

/** How far down the reader was, by entry of the browser's history. It outlives a reload. */
const storageName = 'svc.scroll';
const scrollPositions = new Map<string, number>(storedScrollPositions());

/** What a reader does who does not wait to be brought back. */
const ownMoves = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;

/** Milliseconds that a page may take to become as tall as it was when the reader left it. */
const patience = 5000;

/**
 * Where the reader is in a page: another page begins at its top, or at the part that its address names. Back and Reload lead to where it was
 * left, also when its content comes later. Whatever changes only the query of the address, such as a filter or a panel, moves nothing.
 */
function useScrollRestoration(): void {
  const { key, pathname, hash } = useLocation();
  const comesBack = useNavigationType() === NavigationType.Pop;
  const shown = useRef('');
  useEffect(keepScrollPositions, []);
  // Before the next page can scroll: what it does must not count as the reader's leaving the last one.
  useLayoutEffect(() => {
    const remember = () => scrollPositions.set(key, window.scrollY);
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key]);
  useLayoutEffect(() => {
    const address = `${pathname}${hash}`;
    const stays = shown.current === address;
    shown.current = address;
    const left = comesBack ? scrollPositions.get(key) : undefined;
    if (left !== undefined) return asSoonAsItGoes(() => scrollsTo(left));
    if (hash !== '') return stays && !comesBack ? undefined : asSoonAsItGoes(() => showsPart(hash));
    if (!stays || comesBack) window.scrollTo(0, 0);
    return undefined;
  }, [key, pathname, hash, comesBack]);
}

/** Keeps the positions for the next time that this tab loads the portal. */
function keepScrollPositions(): () => void {
  window.history.scrollRestoration = 'manual';
  const keep = () => sessionStorage.setItem(storageName, JSON.stringify([...scrollPositions]));
  window.addEventListener('pagehide', keep);
  return () => window.removeEventListener('pagehide', keep);
}

function storedScrollPositions(): [string, number][] {
  try {
    return JSON.parse(sessionStorage.getItem(storageName) ?? '[]') as [string, number][];
  } catch {
    return [];
  }
}

/** Tries now, and again whenever the page grows, until it goes, the reader moves or patience ends. Returns a function that gives up. */
function asSoonAsItGoes(attempt: () => boolean): () => void {
  const growth = new ResizeObserver(() => attempt() && giveUp());
  const timer = setTimeout(giveUp, patience);
  function giveUp() {
    growth.disconnect();
    clearTimeout(timer);
    for (const move of ownMoves) window.removeEventListener(move, giveUp);
  }
  for (const move of ownMoves) window.addEventListener(move, giveUp, { passive: true });
  if (attempt()) giveUp();
  else growth.observe(document.body);
  return giveUp;
}

function scrollsTo(position: number): boolean {
  window.scrollTo(0, position);
  return Math.abs(window.scrollY - position) < 2;
}

function showsPart(hash: string): boolean {
  const part = document.getElementById(decodeURIComponent(hash.slice(1)));
  part?.scrollIntoView();
  return part !== null;
}

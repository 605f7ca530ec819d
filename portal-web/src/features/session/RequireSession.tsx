import { Anchor, Text } from '@mantine/core';
import { IconFileCertificate } from '@tabler/icons-react';
import { useEffect } from 'react';
import { Link, Navigate, Outlet, useLocation, useNavigate } from 'react-router';
import { paths, signInPath } from '../../paths.ts';
import { useIsLeaving } from '../../ui/lists/pendingNavigation.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { NotFoundPage } from '../../ui/states/NotFoundPage.tsx';
import { PageLoading } from '../../ui/states/PageLoading.tsx';
import classes from '../terms/TermsNotice.module.css';
import { useSession, type Viewer } from './SessionContext.ts';

/** Lets only signed-in operators through, and takes everybody else to the page where they can sign in or finish their enrolment. */
export function RequireSession() {
  const { state, viewer, refresh } = useSession();
  const { pathname, search } = useLocation();
  if (state === 'loading') return <PageLoading whole />;
  if (state === 'failed') {
    return <ErrorMessage message="The portal did not answer. Check your connection, then try again." onRetry={refresh} />;
  }
  if (!viewer) return <SignInFirst returnTo={pathname + search} />;
  if (viewer.kind !== 'full') return <Navigate to={paths.enrol} replace />;
  return (
    <>
      <TermsNotice viewer={viewer} />
      <Outlet />
    </>
  );
}

/** Takes the reader to the page where they sign in, and never away from another page that they were on their way to: they return to that one. */
function SignInFirst({ returnTo }: { returnTo: string }) {
  const navigate = useNavigate();
  const isLeaving = useIsLeaving();
  useEffect(() => {
    if (!isLeaving()) void navigate(signInPath(returnTo), { replace: true });
  }, [returnTo, isLeaving, navigate]);
  return null;
}

/**
 * Shown above every page to operators who have accepted only earlier terms. It says what has to wait until they accept the current ones.
 */
function TermsNotice({ viewer }: { viewer: Viewer }) {
  const { pathname } = useLocation();
  if (viewer.termsToAccept === null || pathname === paths.acceptTerms) return null;
  return (
    <div className={classes.root} role="status">
      <IconFileCertificate size={20} aria-hidden />
      <Text component="p">
        <strong>Version {viewer.termsToAccept} of the Integration Terms is waiting for your acceptance.</strong> Until you accept it, you
        cannot create, submit or activate an integration. Active integrations keep running.{' '}
        <Anchor component={Link} to={paths.acceptTerms} inherit>
          Read and accept
        </Anchor>
      </Text>
    </div>
  );
}

/** Lets only reviewers through. Everybody else gets “Page not found”. */
export function RequireReviewer() {
  const { viewer } = useSession();
  return viewer?.roles.includes('reviewer') ? <Outlet /> : <NotFoundPage />;
}

import { Navigate, Outlet, useLocation } from 'react-router';
import { paths, signInPath } from '../../paths.ts';
import { ErrorMessage } from '../../ui/states/ErrorMessage.tsx';
import { PageLoading } from '../../ui/states/PageLoading.tsx';
import { TermsNotice } from '../terms/TermsNotice.tsx';
import { useSession } from './SessionContext.ts';

/** Lets only signed-in operators through, and takes everybody else to the page where they can sign in or finish their enrolment. */
export function RequireSession() {
  const { state, viewer, refresh } = useSession();
  const { pathname, search } = useLocation();
  if (state === 'loading') return <PageLoading />;
  if (state === 'failed') {
    return <ErrorMessage message="The portal did not answer. Check your connection, then try again." onRetry={refresh} />;
  }
  if (!viewer) return <Navigate to={signInPath(pathname + search)} replace />;
  if (viewer.kind !== 'full') return <Navigate to={paths.enrol} replace />;
  return (
    <>
      <TermsNotice viewer={viewer} />
      <Outlet />
    </>
  );
}

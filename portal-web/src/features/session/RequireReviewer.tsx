import { Outlet } from 'react-router';
import { NotFoundPage } from '../../ui/states/NotFoundPage.tsx';
import { useSession } from './SessionContext.ts';

/** Lets only reviewers through. Everybody else gets “Page not found”. */
export function RequireReviewer() {
  const { viewer } = useSession();
  return viewer?.roles.includes('reviewer') ? <Outlet /> : <NotFoundPage />;
}

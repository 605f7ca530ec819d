import { Outlet } from 'react-router';
import { NotFoundPage } from '../../ui/states/NotFoundPage.tsx';
import { useSession } from './SessionContext.ts';

/** The reviewers' pages. To everybody else there is nothing here. */
export function RequireReviewer() {
  const { viewer } = useSession();
  return viewer?.roles.includes('reviewer') ? <Outlet /> : <NotFoundPage />;
}

import { Outlet } from 'react-router';
import { administrationTabs } from '../../features/administration/administrationTabs.ts';
import { useSession } from '../../features/session/SessionContext.ts';
import { TabNav } from '../../ui/layout/TabNav.tsx';
import { NotFoundPage } from '../../ui/states/NotFoundPage.tsx';

/** What the administrators' pages have in common. Everybody else gets “Page not found”. */
export function Component() {
  const { viewer } = useSession();
  if (!viewer?.roles.includes('administrator')) return <NotFoundPage />;
  return (
    <>
      <TabNav label="Administration" tabs={administrationTabs} />
      <Outlet />
    </>
  );
}

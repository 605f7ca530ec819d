import { Box } from '@mantine/core';
import { Outlet, useMatch } from 'react-router';
import { administrationTabs } from '../../features/administration/administrationTabs.ts';
import { useSession } from '../../features/session/SessionContext.ts';
import { pages, paths } from '../../paths.ts';
import { BackLink } from '../../ui/layout/BackLink.tsx';
import { TabNav } from '../../ui/layout/TabNav.tsx';
import { NotFoundPage } from '../../ui/states/NotFoundPage.tsx';

/** What the administrators' pages have in common. Those of one integration have tabs of their own. Everybody else gets “Page not found”. */
export function Component() {
  const { viewer } = useSession();
  const ofOne = useMatch(`${pages.adminIntegration}/*`) !== null;
  if (!viewer?.roles.includes('administrator')) return <NotFoundPage />;
  return (
    <>
      {ofOne ? (
        <Box mb="sm">
          <BackLink to={paths.adminIntegrations}>Integrations of all operators</BackLink>
        </Box>
      ) : (
        <TabNav label="Administration" tabs={administrationTabs} />
      )}
      <Outlet />
    </>
  );
}

import { Outlet } from 'react-router';
import { useSession } from '../../features/session/SessionContext.ts';
import { paths } from '../../paths.ts';
import { TabNav } from '../../ui/layout/TabNav.tsx';
import { NotFoundPage } from '../../ui/states/NotFoundPage.tsx';

const tabs = [
  { word: 'Service', path: paths.admin, end: true },
  { word: 'Operators', path: paths.adminOperators },
  { word: 'Integrations', path: paths.adminIntegrations },
  { word: 'Certificates', path: paths.adminCertificates },
  { word: 'Webhooks', path: paths.adminWebhooks },
  { word: 'Gate', path: paths.adminGate },
  { word: 'Terms', path: paths.adminTerms },
  { word: 'Tokens', path: paths.adminTokens },
  { word: 'Jobs', path: paths.adminJobs },
  { word: 'Audit', path: paths.adminAudit },
] as const;

/** What the administrators' pages have in common. Everybody else gets “Page not found”. */
export function Component() {
  const { viewer } = useSession();
  if (!viewer?.roles.includes('administrator')) return <NotFoundPage />;
  return (
    <>
      <TabNav label="Administration" tabs={tabs} />
      <Outlet />
    </>
  );
}

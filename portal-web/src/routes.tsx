import { createBrowserRouter, Navigate, type RouteObject } from 'react-router';
import { RequireReviewer } from './features/session/RequireReviewer.tsx';
import { RequireSession } from './features/session/RequireSession.tsx';
import { NotFoundPage } from './pages/NotFoundPage.tsx';
import type { PagePattern } from './pagePatterns.ts';
import { paths } from './paths.ts';
import { Layout } from './ui/Layout.tsx';
import { PageLoading } from './ui/PageLoading.tsx';
import { RouteError } from './ui/RouteError.tsx';

/** A page that the portal answers for; the list is the server's as well. */
const page = (path: PagePattern, load: Extract<RouteObject['lazy'], (...none: never[]) => unknown>): RouteObject => ({ path, lazy: load });

/** The portal's pages. Each is loaded when it is first visited. */
export function createRouter() {
  return createBrowserRouter([
    {
      element: <Layout />,
      errorElement: <RouteError />,
      hydrateFallbackElement: <PageLoading />,
      children: [
        page('/', () => import('./pages/LandingPage.tsx')),
        page('/register', () => import('./pages/RegisterPage.tsx')),
        page('/verify', () => import('./pages/VerifyPage.tsx')),
        page('/confirm-address', () => import('./pages/ConfirmAddressPage.tsx')),
        page('/account-deleted', () => import('./pages/AccountDeletedPage.tsx')),
        page('/enrol', () => import('./pages/EnrolPage.tsx')),
        page('/recovery-codes', () => import('./pages/RecoveryCodesPage.tsx')),
        page('/sign-in', () => import('./pages/SignInPage.tsx')),
        page('/recover', () => import('./pages/RecoverPage.tsx')),
        page('/docs', () => import('./pages/DocsPage.tsx')),
        page('/docs/:guide', () => import('./pages/DocsGuidePage.tsx')),
        page('/terms/:version', () => import('./pages/TermsPage.tsx')),
        {
          element: <RequireSession />,
          children: [
            page('/integrations', () => import('./pages/IntegrationsPage.tsx')),
            page('/integrations/new', () => import('./pages/NewIntegrationPage.tsx')),
            page('/account', () => import('./pages/AccountPage.tsx')),
            page('/accept-terms', () => import('./pages/AcceptTermsPage.tsx')),
            {
              element: <RequireReviewer />,
              children: [
                page('/review', () => import('./pages/ReviewPage.tsx')),
                page('/review/revisions', () => import('./pages/ReviewRevisionsPage.tsx')),
                page('/review/business-models', () => import('./pages/ReviewReportsPage.tsx')),
                page('/review/:id', () => import('./pages/ReviewSubmissionPage.tsx')),
              ],
            },
            page('/activity', () => import('./pages/ActivityPage.tsx')),
            {
              path: paths.admin,
              lazy: () => import('./pages/AdminPage.tsx'),
              children: [
                { index: true, element: <Navigate to={paths.adminIntegrations} replace /> },
                page('/admin/operators', () => import('./pages/AdminOperatorsPage.tsx')),
                page('/admin/operators/:id', () => import('./pages/AdminOperatorPage.tsx')),
                page('/admin/integrations', () => import('./pages/AdminIntegrationsPage.tsx')),
                page('/admin/integrations/:slug', () => import('./pages/AdminIntegrationPage.tsx')),
                page('/admin/terms', () => import('./pages/AdminTermsPage.tsx')),
                page('/admin/gate', () => import('./pages/AdminGatePage.tsx')),
                page('/admin/tokens', () => import('./pages/AdminTokensPage.tsx')),
                page('/admin/jobs', () => import('./pages/AdminJobsPage.tsx')),
                page('/admin/audit', () => import('./pages/AdminAuditPage.tsx')),
              ],
            },
            {
              path: '/integrations/:slug',
              lazy: () => import('./pages/IntegrationPage.tsx'),
              children: [
                { index: true, lazy: () => import('./pages/IntegrationOverviewPage.tsx') },
                page('/integrations/:slug/sandbox', () => import('./pages/IntegrationSandboxPage.tsx')),
                page('/integrations/:slug/certificates', () => import('./pages/IntegrationCertificatesPage.tsx')),
                page('/integrations/:slug/requests', () => import('./pages/IntegrationRequestsPage.tsx')),
                page('/integrations/:slug/deletions', () => import('./pages/IntegrationDeletionsPage.tsx')),
                page('/integrations/:slug/profile', () => import('./pages/IntegrationProfilePage.tsx')),
                page('/integrations/:slug/kit', () => import('./pages/IntegrationKitPage.tsx')),
                page('/integrations/:slug/production', () => import('./pages/IntegrationProductionPage.tsx')),
              ],
            },
          ],
        },
        { path: '*', element: <NotFoundPage /> },
      ],
    },
  ]);
}

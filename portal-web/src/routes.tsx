import { createBrowserRouter, redirect, type RouteObject } from 'react-router';
import { RequireReviewer } from './features/session/RequireReviewer.tsx';
import { RequireSession } from './features/session/RequireSession.tsx';
import { NotFoundPage } from './ui/states/NotFoundPage.tsx';
import type { PagePattern } from './pagePatterns.ts';
import { integrationPaths, paths } from './paths.ts';
import { Layout } from './layout/Layout.tsx';
import { PageLoading } from './ui/states/PageLoading.tsx';
import { RouteError } from './layout/RouteError.tsx';

/** A page in the list of addresses that the server also has. */
const page = (path: PagePattern, load: Extract<RouteObject['lazy'], (...none: never[]) => unknown>): RouteObject => ({ path, lazy: load });

/** An address that a page of an integration had before. */
const leadingTo = (path: PagePattern, to: (slug: string) => string): RouteObject => ({
  path,
  loader: ({ params: { slug = '' } }) => redirect(to(slug)),
  element: <PageLoading />,
});

/** The portal's pages. Each is loaded when it is first visited. */
export function createRouter() {
  return createBrowserRouter([
    {
      element: <Layout />,
      errorElement: <RouteError />,
      hydrateFallbackElement: <PageLoading />,
      children: [
        page('/', () => import('./pages/public/LandingPage.tsx')),
        page('/register', () => import('./pages/account/RegisterPage.tsx')),
        page('/verify', () => import('./pages/account/VerifyPage.tsx')),
        page('/confirm-address', () => import('./pages/account/ConfirmAddressPage.tsx')),
        page('/account-deleted', () => import('./pages/account/AccountDeletedPage.tsx')),
        page('/enrol', () => import('./pages/account/EnrolPage.tsx')),
        page('/recovery-codes', () => import('./pages/account/RecoveryCodesPage.tsx')),
        page('/sign-in', () => import('./pages/account/SignInPage.tsx')),
        page('/recover', () => import('./pages/account/RecoverPage.tsx')),
        page('/docs', () => import('./pages/public/DocsPage.tsx')),
        page('/docs/:guide', () => import('./pages/public/DocsGuidePage.tsx')),
        page('/docs/reference', () => import('./pages/public/DocsReferencePage.tsx')),
        page('/docs/reference/:operation', () => import('./pages/public/DocsReferencePage.tsx')),
        page('/docs/reference/events/:type', () => import('./pages/public/DocsReferencePage.tsx')),
        page('/terms/:version', () => import('./pages/public/TermsPage.tsx')),
        {
          element: <RequireSession />,
          children: [
            page('/integrations', () => import('./pages/integration/IntegrationsPage.tsx')),
            page('/integrations/new', () => import('./pages/integration/NewIntegrationPage.tsx')),
            page('/inbox', () => import('./pages/account/InboxPage.tsx')),
            page('/account', () => import('./pages/account/AccountPage.tsx')),
            page('/accept-terms', () => import('./pages/account/AcceptTermsPage.tsx')),
            {
              element: <RequireReviewer />,
              children: [
                page('/review', () => import('./pages/review/ReviewPage.tsx')),
                page('/review/revisions', () => import('./pages/review/ReviewRevisionsPage.tsx')),
                page('/review/business-models', () => import('./pages/review/ReviewReportsPage.tsx')),
                page('/review/:id', () => import('./pages/review/ReviewSubmissionPage.tsx')),
              ],
            },
            page('/activity', () => import('./pages/account/ActivityPage.tsx')),
            {
              path: paths.admin,
              lazy: () => import('./pages/admin/AdminPage.tsx'),
              children: [
                { index: true, lazy: () => import('./pages/admin/AdminHomePage.tsx') },
                page('/admin/operators', () => import('./pages/admin/AdminOperatorsPage.tsx')),
                page('/admin/operators/:id', () => import('./pages/admin/AdminOperatorPage.tsx')),
                page('/admin/integrations', () => import('./pages/admin/AdminIntegrationsPage.tsx')),
                page('/admin/integrations/:slug', () => import('./pages/admin/AdminIntegrationPage.tsx')),
                {
                  path: '/admin/integrations/:slug',
                  lazy: () => import('./pages/admin/OwnerViewPage.tsx'),
                  children: [
                    page('/admin/integrations/:slug/sandbox', () => import('./pages/integration/IntegrationSandboxPage.tsx')),
                    page('/admin/integrations/:slug/certificates', () => import('./pages/integration/IntegrationCertificatesPage.tsx')),
                    page('/admin/integrations/:slug/requests', () => import('./pages/integration/IntegrationRequestsPage.tsx')),
                    page('/admin/integrations/:slug/webhooks', () => import('./pages/integration/IntegrationWebhooksPage.tsx')),
                    page('/admin/integrations/:slug/webhooks/:endpointId', () => import('./pages/integration/WebhookEndpointPage.tsx')),
                    page(
                      '/admin/integrations/:slug/webhooks/:endpointId/deliveries/:deliveryId',
                      () => import('./pages/integration/WebhookDeliveryPage.tsx'),
                    ),
                    page('/admin/integrations/:slug/deletions', () => import('./pages/integration/IntegrationDeletionsPage.tsx')),
                    page('/admin/integrations/:slug/profile', () => import('./pages/integration/IntegrationProfilePage.tsx')),
                    page('/admin/integrations/:slug/production', () => import('./pages/integration/IntegrationProductionPage.tsx')),
                  ],
                },
                page('/admin/certificates', () => import('./pages/admin/AdminCertificatesPage.tsx')),
                page('/admin/terms', () => import('./pages/admin/AdminTermsPage.tsx')),
                page('/admin/gate', () => import('./pages/admin/AdminGatePage.tsx')),
                page('/admin/tokens', () => import('./pages/admin/AdminTokensPage.tsx')),
                page('/admin/webhooks', () => import('./pages/admin/AdminWebhooksPage.tsx')),
                page('/admin/jobs', () => import('./pages/admin/AdminJobsPage.tsx')),
                page('/admin/audit', () => import('./pages/admin/AdminAuditPage.tsx')),
              ],
            },
            leadingTo('/integrations/:slug/kit', (slug) => integrationPaths(slug).kit()),
            {
              path: '/integrations/:slug',
              lazy: () => import('./pages/integration/IntegrationPage.tsx'),
              children: [
                { index: true, lazy: () => import('./pages/integration/IntegrationOverviewPage.tsx') },
                page('/integrations/:slug/sandbox', () => import('./pages/integration/IntegrationSandboxPage.tsx')),
                page('/integrations/:slug/certificates', () => import('./pages/integration/IntegrationCertificatesPage.tsx')),
                page('/integrations/:slug/requests', () => import('./pages/integration/IntegrationRequestsPage.tsx')),
                page('/integrations/:slug/webhooks', () => import('./pages/integration/IntegrationWebhooksPage.tsx')),
                page('/integrations/:slug/webhooks/:endpointId', () => import('./pages/integration/WebhookEndpointPage.tsx')),
                page('/integrations/:slug/webhooks/:endpointId/test', () => import('./pages/integration/WebhookTestPage.tsx')),
                page(
                  '/integrations/:slug/webhooks/:endpointId/deliveries/:deliveryId',
                  () => import('./pages/integration/WebhookDeliveryPage.tsx'),
                ),
                page('/integrations/:slug/deletions', () => import('./pages/integration/IntegrationDeletionsPage.tsx')),
                page('/integrations/:slug/profile', () => import('./pages/integration/IntegrationProfilePage.tsx')),
                page('/integrations/:slug/production', () => import('./pages/integration/IntegrationProductionPage.tsx')),
              ],
            },
          ],
        },
        { path: '*', element: <NotFoundPage /> },
      ],
    },
  ]);
}

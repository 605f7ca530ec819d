import { createBrowserRouter, redirect, type RouteObject, type ShouldRevalidateFunction } from 'react-router';
import { RequireReviewer, RequireSession } from './features/session/RequireSession.tsx';
import { frameLoader, homeLoader, integrationLoader, overviewLoader, signedInHeaderLoader } from './layout/firstPage.ts';
import { Layout, LayoutLoading } from './layout/Layout.tsx';
import { RouteError } from './layout/RouteError.tsx';
import { integrationPaths, ownersTabs, pages, tabs } from './paths.ts';
import { NotFoundPage } from './ui/states/NotFoundPage.tsx';
import { PageLoading } from './ui/states/PageLoading.tsx';

/** A filter, a place in a list and a panel change what follows the path: the page is the same, and asks by itself. */
const onAnotherPage: ShouldRevalidateFunction = ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname;

/** A page. Its module exports the component and, if there is something to ask first, the loader. */
const page = (path: string, load: Extract<RouteObject['lazy'], (...none: never[]) => unknown>): RouteObject => ({
  path,
  lazy: load,
  shouldRevalidate: onAnotherPage,
});

/** The tabs of an integration that its owner and an administrator who looks as the owner have alike. */
const tabsAt = (integration: string): RouteObject[] => [
  page(integration + tabs.requests, () => import('./pages/integration/requests/IntegrationRequestsPage.tsx')),
  page(integration + tabs.webhooks, () => import('./pages/integration/webhooks/IntegrationWebhooksPage.tsx')),
  page(integration + tabs.webhookEndpoint, () => import('./pages/integration/webhook-endpoint/WebhookEndpointPage.tsx')),
  page(integration + tabs.webhookDelivery, () => import('./pages/integration/webhook-delivery/WebhookDeliveryPage.tsx')),
  page(integration + tabs.certificates, () => import('./pages/integration/certificates/IntegrationCertificatesPage.tsx')),
  page(integration + tabs.deletions, () => import('./pages/integration/deletions/IntegrationDeletionsPage.tsx')),
  page(integration + tabs.sandbox, () => import('./pages/integration/sandbox/IntegrationSandboxPage.tsx')),
  page(integration + tabs.production, () => import('./pages/integration/production/IntegrationProductionPage.tsx')),
  page(integration + tabs.profile, () => import('./pages/integration/profile/IntegrationProfilePage.tsx')),
];

/** The portal's pages. Each is loaded when it is first visited. */
export function createRouter() {
  return createBrowserRouter([
    {
      element: <Layout />,
      loader: frameLoader,
      shouldRevalidate: () => false,
      errorElement: <RouteError />,
      hydrateFallbackElement: <LayoutLoading />,
      children: [
        page(pages.landing, () => import('./pages/public/landing/LandingPage.tsx')),
        page(pages.register, () => import('./pages/account/RegisterPage.tsx')),
        page(pages.verify, () => import('./pages/account/VerifyPage.tsx')),
        page(pages.confirmAddress, () => import('./pages/account/ConfirmAddressPage.tsx')),
        page(pages.accountDeleted, () => import('./pages/account/AccountDeletedPage.tsx')),
        page(pages.enrol, () => import('./pages/account/EnrolPage.tsx')),
        page(pages.recoveryCodes, () => import('./pages/account/RecoveryCodesPage.tsx')),
        page(pages.signIn, () => import('./pages/account/SignInPage.tsx')),
        page(pages.recover, () => import('./pages/account/RecoverPage.tsx')),
        page(pages.docs, () => import('./pages/public/DocsPage.tsx')),
        page(pages.guide, () => import('./pages/public/DocsGuidePage.tsx')),
        page(pages.reference, () => import('./pages/public/reference/DocsReferencePage.tsx')),
        page(pages.operation, () => import('./pages/public/reference/DocsReferencePage.tsx')),
        page(pages.event, () => import('./pages/public/reference/DocsReferencePage.tsx')),
        page(pages.problems, () => import('./pages/public/DocsProblemsPage.tsx')),
        page(pages.problem, () => import('./pages/public/DocsProblemPage.tsx')),
        page(pages.terms, () => import('./pages/public/TermsPage.tsx')),
        {
          element: <RequireSession />,
          loader: signedInHeaderLoader,
          shouldRevalidate: () => false,
          children: [
            { ...page(pages.integrations, () => import('./pages/integration/home/IntegrationsPage.tsx')), loader: homeLoader },
            page(pages.newIntegration, () => import('./pages/integration/new/NewIntegrationPage.tsx')),
            page(pages.inbox, () => import('./pages/account/inbox/InboxPage.tsx')),
            page(pages.account, () => import('./pages/account/account/AccountPage.tsx')),
            page(pages.acceptTerms, () => import('./pages/account/AcceptTermsPage.tsx')),
            {
              element: <RequireReviewer />,
              children: [
                page(pages.review, () => import('./pages/review/ReviewPage.tsx')),
                page(pages.minorRevisions, () => import('./pages/review/ReviewRevisionsPage.tsx')),
                page(pages.businessModels, () => import('./pages/review/ReviewReportsPage.tsx')),
                page(pages.submission, () => import('./pages/review/submission/ReviewSubmissionPage.tsx')),
              ],
            },
            page(pages.activity, () => import('./pages/account/ActivityPage.tsx')),
            {
              path: pages.admin,
              lazy: () => import('./pages/admin/AdminPage.tsx'),
              children: [
                { index: true, lazy: () => import('./pages/admin/home/AdminHomePage.tsx') },
                page(pages.adminOperators, () => import('./pages/admin/AdminOperatorsPage.tsx')),
                page(pages.adminOperator, () => import('./pages/admin/operator/AdminOperatorPage.tsx')),
                page(pages.adminIntegrations, () => import('./pages/admin/AdminIntegrationsPage.tsx')),
                page(pages.adminIntegration, () => import('./pages/admin/integration/AdminIntegrationPage.tsx')),
                {
                  path: pages.adminIntegration,
                  lazy: () => import('./pages/admin/OwnerViewPage.tsx'),
                  loader: integrationLoader,
                  shouldRevalidate: onAnotherPage,
                  children: tabsAt(pages.adminIntegration),
                },
                page(pages.adminCertificates, () => import('./pages/admin/certificates/AdminCertificatesPage.tsx')),
                page(pages.adminTerms, () => import('./pages/admin/terms/AdminTermsPage.tsx')),
                page(pages.adminGate, () => import('./pages/admin/gate/AdminGatePage.tsx')),
                page(pages.adminTokens, () => import('./pages/admin/tokens/AdminTokensPage.tsx')),
                page(pages.adminWebhooks, () => import('./pages/admin/AdminWebhooksPage.tsx')),
                page(pages.adminJobs, () => import('./pages/admin/jobs/AdminJobsPage.tsx')),
                page(pages.adminAudit, () => import('./pages/admin/AdminAuditPage.tsx')),
              ],
            },
            {
              path: pages.integration + ownersTabs.kit,
              loader: ({ params: { slug = '' } }) => redirect(integrationPaths(slug).kit()),
              element: <PageLoading whole />,
            },
            {
              path: pages.integration,
              lazy: () => import('./pages/integration/frame/IntegrationPage.tsx'),
              loader: integrationLoader,
              shouldRevalidate: onAnotherPage,
              children: [
                {
                  index: true,
                  lazy: () => import('./pages/integration/overview/IntegrationOverviewPage.tsx'),
                  loader: overviewLoader,
                  shouldRevalidate: onAnotherPage,
                },
                ...tabsAt(pages.integration),
                page(pages.integration + ownersTabs.webhookTest, () => import('./pages/integration/WebhookTestPage.tsx')),
              ],
            },
          ],
        },
        { path: '*', element: <NotFoundPage /> },
      ],
    },
  ]);
}

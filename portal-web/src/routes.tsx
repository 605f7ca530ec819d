import { createBrowserRouter, Navigate } from 'react-router';
import { RequireReviewer } from './features/session/RequireReviewer.tsx';
import { RequireSession } from './features/session/RequireSession.tsx';
import { NotFoundPage } from './pages/NotFoundPage.tsx';
import { paths } from './paths.ts';
import { Layout } from './ui/Layout.tsx';
import { PageLoading } from './ui/PageLoading.tsx';
import { RouteError } from './ui/RouteError.tsx';

/** The portal's pages. Each is loaded when it is first visited. */
export function createRouter() {
  return createBrowserRouter([
    {
      element: <Layout />,
      errorElement: <RouteError />,
      hydrateFallbackElement: <PageLoading />,
      children: [
        { path: paths.landing, lazy: () => import('./pages/LandingPage.tsx') },
        { path: paths.register, lazy: () => import('./pages/RegisterPage.tsx') },
        { path: paths.verify, lazy: () => import('./pages/VerifyPage.tsx') },
        { path: paths.confirmAddress, lazy: () => import('./pages/ConfirmAddressPage.tsx') },
        { path: paths.accountDeleted, lazy: () => import('./pages/AccountDeletedPage.tsx') },
        { path: paths.enrol, lazy: () => import('./pages/EnrolPage.tsx') },
        { path: paths.recoveryCodes, lazy: () => import('./pages/RecoveryCodesPage.tsx') },
        { path: paths.signIn, lazy: () => import('./pages/SignInPage.tsx') },
        { path: paths.recover, lazy: () => import('./pages/RecoverPage.tsx') },
        { path: paths.docs, lazy: () => import('./pages/DocsPage.tsx') },
        { path: '/docs/:guide', lazy: () => import('./pages/DocsGuidePage.tsx') },
        { path: '/terms/:version', lazy: () => import('./pages/TermsPage.tsx') },
        {
          element: <RequireSession />,
          children: [
            { path: paths.integrations, lazy: () => import('./pages/IntegrationsPage.tsx') },
            { path: paths.newIntegration, lazy: () => import('./pages/NewIntegrationPage.tsx') },
            { path: paths.account, lazy: () => import('./pages/AccountPage.tsx') },
            { path: paths.acceptTerms, lazy: () => import('./pages/AcceptTermsPage.tsx') },
            {
              element: <RequireReviewer />,
              children: [
                { path: paths.review, lazy: () => import('./pages/ReviewPage.tsx') },
                { path: paths.minorRevisions, lazy: () => import('./pages/ReviewRevisionsPage.tsx') },
                { path: paths.businessModels, lazy: () => import('./pages/ReviewReportsPage.tsx') },
                { path: '/review/:id', lazy: () => import('./pages/ReviewSubmissionPage.tsx') },
              ],
            },
            { path: paths.activity, lazy: () => import('./pages/ActivityPage.tsx') },
            {
              path: paths.admin,
              lazy: () => import('./pages/AdminPage.tsx'),
              children: [
                { index: true, element: <Navigate to={paths.adminIntegrations} replace /> },
                { path: 'operators', lazy: () => import('./pages/AdminOperatorsPage.tsx') },
                { path: 'operators/:id', lazy: () => import('./pages/AdminOperatorPage.tsx') },
                { path: 'integrations', lazy: () => import('./pages/AdminIntegrationsPage.tsx') },
                { path: 'integrations/:slug', lazy: () => import('./pages/AdminIntegrationPage.tsx') },
                { path: 'terms', lazy: () => import('./pages/AdminTermsPage.tsx') },
                { path: 'gate', lazy: () => import('./pages/AdminGatePage.tsx') },
                { path: 'tokens', lazy: () => import('./pages/AdminTokensPage.tsx') },
                { path: 'jobs', lazy: () => import('./pages/AdminJobsPage.tsx') },
                { path: 'audit', lazy: () => import('./pages/AdminAuditPage.tsx') },
              ],
            },
            {
              path: '/integrations/:slug',
              lazy: () => import('./pages/IntegrationPage.tsx'),
              children: [
                { index: true, lazy: () => import('./pages/IntegrationOverviewPage.tsx') },
                { path: 'sandbox', lazy: () => import('./pages/IntegrationSandboxPage.tsx') },
                { path: 'certificates', lazy: () => import('./pages/IntegrationCertificatesPage.tsx') },
                { path: 'requests', lazy: () => import('./pages/IntegrationRequestsPage.tsx') },
                { path: 'deletions', lazy: () => import('./pages/IntegrationDeletionsPage.tsx') },
                { path: 'profile', lazy: () => import('./pages/IntegrationProfilePage.tsx') },
                { path: 'kit', lazy: () => import('./pages/IntegrationKitPage.tsx') },
                { path: 'production', lazy: () => import('./pages/IntegrationProductionPage.tsx') },
              ],
            },
          ],
        },
        { path: '*', element: <NotFoundPage /> },
      ],
    },
  ]);
}

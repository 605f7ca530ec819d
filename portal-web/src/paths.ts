type Environment = 'sandbox' | 'production';

/** As a query, without what is not set. */
const withFilters = (filters: Readonly<Record<string, string>> | undefined) =>
  filters && Object.keys(filters).length > 0 ? `?${new URLSearchParams(filters)}` : '';

/** Pages with two environments show the sandbox by default. */
const inEnvironment = (environment: Environment | undefined) => (environment === 'production' ? '?environment=production' : '');

/** The addresses of all pages of the portal. */
export const paths = {
  landing: '/',
  register: '/register',
  verify: '/verify',
  confirmAddress: '/confirm-address',
  accountDeleted: '/account-deleted',
  enrol: '/enrol',
  recoveryCodes: '/recovery-codes',
  signIn: '/sign-in',
  recover: '/recover',
  integrations: '/integrations',
  newIntegration: '/integrations/new',
  integration: (slug: string) => `/integrations/${slug}`,
  sandbox: (slug: string) => `/integrations/${slug}/sandbox`,
  certificates: (slug: string, environment?: Environment) => `/integrations/${slug}/certificates${inEnvironment(environment)}`,
  requests: (slug: string, environment?: Environment) => `/integrations/${slug}/requests${inEnvironment(environment)}`,
  webhooks: (slug: string) => `/integrations/${slug}/webhooks`,
  webhookEndpoint: (slug: string, id: string, filters?: Readonly<Record<string, string>>) =>
    `/integrations/${slug}/webhooks/${id}${withFilters(filters)}`,
  webhookTest: (slug: string, id: string) => `/integrations/${slug}/webhooks/${id}/test`,
  webhookDelivery: (slug: string, endpointId: string, id: string) => `/integrations/${slug}/webhooks/${endpointId}/deliveries/${id}`,
  deletions: (slug: string) => `/integrations/${slug}/deletions`,
  profile: (slug: string) => `/integrations/${slug}/profile`,
  kit: (slug: string) => `/integrations/${slug}/kit`,
  production: (slug: string) => `/integrations/${slug}/production`,
  terms: (version: number) => `/terms/${version}`,
  acceptTerms: '/accept-terms',
  account: '/account',
  review: '/review',
  minorRevisions: '/review/revisions',
  businessModels: '/review/business-models',
  submission: (id: string) => `/review/${id}`,
  activity: '/activity',
  admin: '/admin',
  adminOperators: '/admin/operators',
  adminOperator: (id: string) => `/admin/operators/${id}`,
  adminIntegrations: '/admin/integrations',
  adminIntegration: (slug: string) => `/admin/integrations/${slug}`,
  adminCertificates: '/admin/certificates',
  adminGate: '/admin/gate',
  adminTerms: '/admin/terms',
  adminTokens: '/admin/tokens',
  adminWebhooks: '/admin/webhooks',
  adminJobs: '/admin/jobs',
  adminAudit: '/admin/audit',
  developmentMailbox: '/dev/mailbox',
  developmentCa: '/dev/machine-api-ca.pem',
  docs: '/docs',
  guide: (name: string) => `/docs/${name}`,
  problem: (code: string) => `/problems/${code}`,
  webhookKeys: '/.well-known/svc-integration-webhook-jwks.json',
  openApi: '/openapi.json',
  openApiYaml: '/openapi.yaml',
} as const;

/** The address of the sign-in page, which then returns to `returnTo`. */
export function signInPath(returnTo: string): string {
  return `${paths.signIn}?${new URLSearchParams({ returnTo })}`;
}

/**
 * Where to go after signing in. Only a path inside the portal is followed: an address made by somebody else must not
 * lead a signed-in reader away.
 */
export function safeReturnPath(value: string | null, origin: string): string {
  if (!value?.startsWith('/') || !URL.canParse(value, origin)) return paths.integrations;
  const url = new URL(value, origin);
  // Two slashes would name another server. Normalisation can produce them, as from "/.//evil.example".
  return url.origin === origin && !url.pathname.startsWith('//') ? url.pathname + url.search : paths.integrations;
}

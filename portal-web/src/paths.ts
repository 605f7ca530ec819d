/** What an address says after its path. A name without a value is left out. */
export type Query = Readonly<Record<string, string>>;

function withQuery(path: string, query: Query): string {
  const set = Object.entries(query).filter(([, value]) => value !== '');
  return set.length > 0 ? `${path}?${new URLSearchParams(set)}` : path;
}

/**
 * The addresses of one integration’s tabs. `below` is where its owner finds them, unless an administrator looks as the owner; `kept` is
 * what each address says unless it is asked for something else. Within the tabs, `useIntegrationPaths` makes them.
 */
export function integrationPaths(slug: string, { below = '/integrations', kept = {} }: { below?: string; kept?: Query } = {}) {
  const tab = (path: string) => (query?: Query) => withQuery(`${below}/${slug}${path}`, { ...kept, ...query });
  const endpoint = (id: string) => `/webhooks/${id}`;
  return {
    overview: tab(''),
    requests: tab('/requests'),
    /** One request, beside the log. */
    request: (id: string, query?: Query) => tab('/requests')({ ...query, request: id }),
    webhooks: tab('/webhooks'),
    webhookEndpoint: (id: string, query?: Query) => tab(endpoint(id))(query),
    webhookTest: (id: string) => tab(`${endpoint(id)}/test`)(),
    webhookDelivery: (endpointId: string, id: string) => tab(`${endpoint(endpointId)}/deliveries/${id}`)(),
    certificates: tab('/certificates'),
    deletions: tab('/deletions'),
    sandbox: tab('/sandbox'),
    production: tab('/production'),
    profile: tab('/profile'),
    /** The part of the profile that is for the operator’s own pages. */
    kit: () => `${tab('/profile')()}#kit`,
  };
}

export type IntegrationPaths = ReturnType<typeof integrationPaths>;

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
  inbox: '/inbox',
  newIntegration: '/integrations/new',
  terms: (version: number) => `/terms/${version}`,
  acceptTerms: '/accept-terms',
  account: '/account',
  review: '/review',
  reviewTab: (tab: 'mine' | 'unassigned' | 'colleagues' | 'waitingForOwner' | 'decided') => `/review?tab=${tab}`,
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
  reference: '/docs/reference',
  operation: (name: string) => `/docs/reference/${name}`,
  event: (type: string) => `/docs/reference/events/${type}`,
  problem: (code: string) => `/problems/${code}`,
  webhookKeys: '/.well-known/svc-integration-webhook-jwks.json',
  llms: '/llms.txt',
  changelogFeed: '/changelog.atom',
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

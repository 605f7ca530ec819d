/**
 * The address of every page, by its name, as the router reads it. The links below, the router and the list by which the portal answers 404 to
 * everything else follow from it. It imports nothing, because the build reads it.
 */
export const pages = {
  landing: '/',
  register: '/register',
  verify: '/verify',
  confirmAddress: '/confirm-address',
  accountDeleted: '/account-deleted',
  enrol: '/enrol',
  recoveryCodes: '/recovery-codes',
  signIn: '/sign-in',
  recover: '/recover',
  docs: '/docs',
  guide: '/docs/:guide',
  reference: '/docs/reference',
  operation: '/docs/reference/:operation',
  event: '/docs/reference/events/:type',
  problems: '/problems',
  problem: '/problems/:code',
  terms: '/terms/:version',
  integrations: '/integrations',
  newIntegration: '/integrations/new',
  inbox: '/inbox',
  account: '/account',
  acceptTerms: '/accept-terms',
  activity: '/activity',
  review: '/review',
  minorRevisions: '/review/revisions',
  businessModels: '/review/business-models',
  submission: '/review/:id',
  admin: '/admin',
  adminOperators: '/admin/operators',
  adminOperator: '/admin/operators/:id',
  adminIntegrations: '/admin/integrations',
  adminIntegration: '/admin/integrations/:slug',
  adminCertificates: '/admin/certificates',
  adminTerms: '/admin/terms',
  adminGate: '/admin/gate',
  adminTokens: '/admin/tokens',
  adminWebhooks: '/admin/webhooks',
  adminJobs: '/admin/jobs',
  adminAudit: '/admin/audit',
  integration: '/integrations/:slug',
} as const;

/** What the tabs of an integration add to its address, where its owner finds them and where an administrator looks as the owner. */
export const tabs = {
  requests: '/requests',
  webhooks: '/webhooks',
  webhookEndpoint: '/webhooks/:endpointId',
  webhookDelivery: '/webhooks/:endpointId/deliveries/:deliveryId',
  certificates: '/certificates',
  deletions: '/deletions',
  sandbox: '/sandbox',
  production: '/production',
  profile: '/profile',
} as const;

/** What only its owner finds below the integration. */
export const ownersTabs = {
  webhookTest: '/webhooks/:endpointId/test',
  /** An address that a part of the profile had before. */
  kit: '/kit',
} as const;

/** Every address. */
export const pagePatterns: readonly string[] = [
  ...Object.values(pages),
  ...Object.values({ ...tabs, ...ownersTabs }).map((tab) => pages.integration + tab),
  ...Object.values(tabs).map((tab) => pages.adminIntegration + tab),
];

/** The address of one page, with these in the places of what its pattern names, in their order. */
function filled(pattern: string, ...values: readonly (string | number)[]): string {
  let next = 0;
  return pattern.replaceAll(/:\w+/g, () => String(values[next++]));
}

/**
 * The integration that an address is about, its owner's or an administrator's: the page below whose address its tabs are, and what of the address
 * follows. Null for every other page.
 */
export function integrationIn(pathname: string) {
  for (const at of [pages.integration, pages.adminIntegration]) {
    const [page, slug] = new RegExp(`^${at.replace(':slug', '([^/]+)')}`).exec(pathname) ?? [];
    if (page !== undefined && slug !== undefined && page !== pages.newIntegration)
      return { at, page, slug, tab: pathname.slice(page.length) };
  }
  return null;
}

/** The page that an address belongs to. The tabs of an integration are one page. */
export function pageOf(pathname: string): string {
  return integrationIn(pathname)?.page ?? pathname;
}

/** What an address says after its path. A name without a value is left out. */
export type Query = Readonly<Record<string, string>>;

function withQuery(path: string, query: Query): string {
  const set = Object.entries(query).filter(([, value]) => value !== '');
  return set.length > 0 ? `${path}?${new URLSearchParams(set)}` : path;
}

/**
 * The addresses of one integration’s tabs, below that where its owner finds them, unless an administrator looks as the owner; `kept` is
 * what each address says unless it is asked for something else. Within the tabs, `useIntegrationPaths` makes them.
 */
export function integrationPaths(
  slug: string,
  { at = pages.integration, kept = {} }: { at?: typeof pages.integration | typeof pages.adminIntegration; kept?: Query } = {},
) {
  const page = (tab: string, ids: readonly string[], query?: Query) => withQuery(filled(at + tab, slug, ...ids), { ...kept, ...query });
  const tab = (path: string) => (query?: Query) => page(path, [], query);
  return {
    overview: tab(''),
    requests: tab(tabs.requests),
    /** One request, beside the log. */
    request: (id: string, query?: Query) => page(tabs.requests, [], { ...query, request: id }),
    webhooks: tab(tabs.webhooks),
    webhookEndpoint: (id: string, query?: Query) => page(tabs.webhookEndpoint, [id], query),
    webhookTest: (id: string) => page(ownersTabs.webhookTest, [id]),
    webhookDelivery: (endpointId: string, id: string) => page(tabs.webhookDelivery, [endpointId, id]),
    certificates: tab(tabs.certificates),
    deletions: tab(tabs.deletions),
    sandbox: tab(tabs.sandbox),
    production: tab(tabs.production),
    profile: tab(tabs.profile),
    /** The part of the profile that is for the operator’s own pages. */
    kit: () => `${page(tabs.profile, [])}#kit`,
  };
}

export type IntegrationPaths = ReturnType<typeof integrationPaths>;

/** The addresses of all pages but the tabs, and of what the portal has beside them. */
export const paths = {
  ...pages,
  /** The reader’s integrations with one kind of need. */
  integrationsThatNeed: (need: string) => withQuery(pages.integrations, { need }),
  guide: (name: string) => filled(pages.guide, name),
  operation: (name: string) => filled(pages.operation, name),
  event: (type: string) => filled(pages.event, type),
  terms: (version: number) => filled(pages.terms, version),
  reviewTab: (tab: 'mine' | 'unassigned' | 'colleagues' | 'waitingForOwner' | 'decided') => `${pages.review}?tab=${tab}`,
  submission: (id: string) => filled(pages.submission, id),
  adminOperator: (id: string) => filled(pages.adminOperator, id),
  adminIntegration: (slug: string) => filled(pages.adminIntegration, slug),
  developmentMailbox: '/dev/mailbox',
  developmentCa: '/dev/machine-api-ca.pem',
  problem: (code: string) => filled(pages.problem, code),
  webhookKeys: '/.well-known/svc-integration-webhook-jwks.json',
  receiver: (file: string) => `/receivers/${file}`,
  kit: (version: string) => `/kit/svc-operator-kit-${version}.tgz`,
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

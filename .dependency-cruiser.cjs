/** The import rules of docs/ARCHITECTURE.md. */
const from = (path) => ({ path });
const frameworks = '(koa|@koa|@as-integrations|@apollo|type-graphql|graphql|graphile-worker|react|vite)';

/**
 * The folders of server/domain, lowest first: a folder imports only itself and those before it, types included. Every folder is listed. Those of
 * an aggregate stand together, so aggregates form no cycle either.
 */
const domainFolders = [
  'shared/text',
  'shared',
  'shared/functions',
  'shared/lists',
  'shared/der',
  'audit',
  'outbox',
  'notification/words',
  'notification',
  'account',
  'account/session',
  'account/address',
  'account/passkey',
  'account/recovery',
  'account/enrolment',
  'integration',
  'integration/terms',
  'integration/profile',
  'integration/status',
  'gate',
  'client',
  'client/admission',
  'access',
  'certificate/crl',
  'certificate/p12/package',
  'certificate/csr',
  'certificate',
  'certificate/request',
  'certificate/authority',
  'certificate/crl/publication',
  'certificate/p12',
  'certificate/renewal',
  'evidence',
  'usage',
  'feed',
  'tracking',
  'statistics',
  'agreement',
  'sharing',
  'sharing/revocation',
  'sharing/consent',
  'sharing/link-code',
  'sharing/deletion',
  'sandbox/generator',
  'sandbox',
  'sandbox/corpus',
  'sandbox/event',
  'webhook',
  'webhook/signing',
  'webhook/endpoint',
  'webhook/challenge',
  'webhook/delivery',
  'webhook/history',
  'webhook/alert',
  'webhook/replay',
  'webhook/attempt',
  'webhook/trial',
  'webhook/receiver-check',
  'review',
  'review/check',
  'review/owner',
  'review/reviewer',
  'attention/facts',
  'attention/findings',
  'attention',
  'attention/service',
  'logo/image',
  'logo',
  'retention',
  'search',
  'administration',
  'programme',
];
const aggregates = domainFolders.map((folder) => folder.split('/')[0]).filter((name, place, all) => name !== all[place - 1]);
if (new Set(aggregates).size < aggregates.length) throw new Error('The folders of an aggregate do not stand together.');
/** The files directly in these folders. */
const filesIn = (folders) => `^server/domain/(${folders.join('|')})/[^/]+$`;
const onlyFoldersBefore = domainFolders.slice(0, -1).map((folder, place) => ({
  name: `${folder}-knows-only-folders-before-it`,
  severity: 'error',
  from: from(filesIn([folder])),
  to: { path: filesIn(domainFolders.slice(place + 1)) },
}));

/** What each status means; pages read it, too. */
const factsOfStatuses = '^server/domain/(?!attention/|review/check/).*Facts\\.ts$';

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolved', severity: 'error', from: {}, to: { couldNotResolve: true } },
    ...onlyFoldersBefore,
    { name: 'domain-folders-are-in-order', severity: 'error', from: { path: '^server/domain/', pathNot: filesIn(domainFolders) }, to: {} },
    {
      name: 'domain-knows-no-framework',
      severity: 'error',
      from: from('^server/domain/'),
      to: { path: `^node_modules/${frameworks}(/|$)` },
    },
    {
      name: 'domain-knows-no-outside',
      severity: 'error',
      from: from('^server/domain/'),
      to: { path: '^(server/(?!domain/)|rest-api|workers|portal-web|migrations)' },
    },
    {
      name: 'rules-are-plain-code',
      severity: 'error',
      from: from('^server/domain/.*(Status|Policy|[lL]imits)\\.ts$'),
      to: { path: '^node_modules/' },
    },
    {
      name: 'one-place-makes-connections',
      severity: 'error',
      // The reader of rows tries at its start what it relies on in pg; the embedded server and the emitter of schema.sql connect to a server that they have started.
      from: {
        path: '^(server|rest-api|workers|migrations|demo)/',
        pathNot: '^server/database/(connection/|embeddedPostgres\\.ts|emitSchemaSql\\.ts)|^rest-api/database/rows/takeStream\\.ts',
      },
      to: { path: '^node_modules/(pg|pg-pool|postgres)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'hot-path-knows-no-orm',
      severity: 'error',
      // Those that write to a feed take part in a command's transaction.
      from: { path: '^server/domain/(client/admission|feed)/', pathNot: '^server/domain/feed/(publish|lockFeeds|resetFeeds)\\.ts$' },
      to: { path: '^node_modules/@mikro-orm/' },
    },
    {
      name: 'platform-knows-port-types-only',
      severity: 'error',
      from: from('^server/(platform|config)/'),
      to: { path: '^server/domain/', dependencyTypesNot: ['type-only'], pathNot: '^server/domain/shared/' },
    },
    {
      name: 'portal-api-stands-alone',
      severity: 'error',
      from: from('^server/portal-api/'),
      to: { path: '^(server/portal-http|rest-api|workers|portal-web)' },
    },
    {
      name: 'portal-http-stands-alone',
      severity: 'error',
      from: from('^server/portal-http/'),
      to: { path: '^(rest-api|workers|portal-web)' },
    },
    {
      name: 'rest-api-stands-alone',
      severity: 'error',
      from: from('^rest-api/'),
      to: { path: '^(server/(portal-api|portal-http|start|main)|workers|portal-web)' },
    },
    {
      name: 'workers-stand-alone',
      severity: 'error',
      from: from('^workers/'),
      to: { path: '^(server/(portal-api|portal-http|start|main)|rest-api|portal-web)' },
    },
    {
      name: 'portal-web-stands-alone',
      severity: 'error',
      from: { path: '^portal-web/', pathNot: '^portal-web/documentation/' },
      // What a status means and how it is shown, the way to production and what needs somebody, how spans of time read, and how a text stands
      // in HTML, is told in one place.
      to: {
        path: '^(server|rest-api|workers|migrations|tests|demo|bench)',
        pathNot: `${factsOfStatuses}|^server/domain/(attention/findings/healthFacts|integration/profile/profileFields|notification/(topicWords|words/(productionPath|attentionKinds|mailSubjects|consequences))|shared/text/(statusWord|spanWords|firstLetter|escapeHtml))\\.ts$`,
      },
    },
    {
      name: 'facts-are-constants',
      severity: 'error',
      from: from(factsOfStatuses),
      to: { dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'documentation-knows-the-catalogue',
      severity: 'error',
      from: from('^portal-web/documentation/'),
      // It runs while the pages are built, and the advice on each code is told in one place.
      to: {
        path: '^(server|rest-api|workers|migrations|tests|demo|bench)',
        pathNot: '^server/(domain/shared/(errorCatalogue|text/escapeHtml)|portal-http/pages/problemTexts)\\.ts$',
      },
    },
    {
      name: 'only-start-starts-all',
      severity: 'error',
      from: { path: '^server/', pathNot: '^server/(start|oi)\\.ts$' },
      to: { path: '^(rest-api|workers)/' },
    },
    {
      name: 'only-outbound-connects-to-addresses-that-people-chose',
      severity: 'error',
      // The others listen, reach the database, the mail server and the authority in ACME_SERVER, or only tell addresses from names and what TLS knows.
      from: {
        path: '^(server|rest-api|workers)/',
        pathNot: [
          '^server/platform/outbound/',
          '^server/(database/(freePort|connection/databaseAddress)|config/(acmePlan|config|values)|doctor/(acme|certificates|ports)|platform/(acme/(obtainCertificate|startChallengeServer)|developmentTls|tls/serverPair|tlsGroups|sourceAddress|startMetricsServer|clientAddress|http/(bareAnswer|boundHeads|nodeInternals|superviseConnections)))\\.ts$',
          '^server/(portal-http/startPortal|domain/integration/profile/publicUrl)\\.ts$',
          '^rest-api/(machineApi|database/rows/RowConnection)\\.ts$',
        ],
      },
      to: { path: '^(node:)?(undici|node_modules/undici|net|tls|https?|http2|dns|dgram)(/|$)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'only-tracing-knows-open-telemetry',
      severity: 'error',
      from: { pathNot: '^server/platform/tracing/openTelemetry\\.ts$' },
      to: { path: '^node_modules/@opentelemetry/', dependencyTypesNot: ['type-only'] },
    },
    {
      // A process that does not trace pays for nothing.
      name: 'open-telemetry-is-loaded-only-when-needed',
      severity: 'error',
      from: {},
      to: { path: '^server/platform/tracing/openTelemetry\\.ts$', dynamic: false, dependencyTypesNot: ['type-only'] },
    },
    {
      // Operators install it without anything else.
      name: 'kit-stands-alone',
      severity: 'error',
      from: { path: '^kit/', pathNot: '^kit/reference/postgres' },
      to: { pathNot: '^kit/', dependencyTypesNot: ['core'] },
    },
    {
      // What the service is tried with must not be what it is made of. `oi smoke` and the other tests have raw clients: a second opinion.
      name: 'product-knows-no-kit',
      severity: 'error',
      from: { pathNot: '^(kit/|demo/(?!smoke/)|tests/(support/)?kit/)' },
      to: { path: '^kit/' },
    },
    { name: 'product-knows-no-tests', severity: 'error', from: { pathNot: '^tests/' }, to: { path: '^tests/' } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
    exclude: { path: '^(dist|portal-web/src/graphql/.*\\.d\\.ts)' },
  },
};

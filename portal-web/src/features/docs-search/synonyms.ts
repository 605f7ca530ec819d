type Meaning = {
  /** Our words for it. */
  readonly ours: string;
  /** What people call it. One form of each word is enough, since words are compared by their stems. */
  readonly asked: readonly string[];
  /** The place that explains it, unless titles lead there. */
  readonly at?: string;
};

const list = (text: string) => text.split(', ');

/**
 * What people ask for that has another name here. The search over the documentation and the acts of the palette read it: what is asked for in
 * other words is found as if it were asked for in ours.
 */
export const synonyms: readonly Meaning[] = [
  {
    ours: 'quickstart',
    at: '/docs/quickstart',
    asked: list(
      'getting started, get started, tutorial, first call, first request, hello world, onboarding, begin, setup, walkthrough, example',
    ),
  },
  { ours: 'production', at: '/docs/production', asked: list('go live, going live, live, launch, real data, prod, move to production') },
  { ours: 'production', asked: list('switch environment, live mode') },
  { ours: 'review', at: '/docs/production#review', asked: list('approval, approve, reject, vetting, app review') },
  { ours: 'suspended', at: '/docs/production#suspension', asked: list('banned, blocked, disabled, deactivated') },
  { ours: 'retire', at: '/docs/production', asked: list('delete integration, remove integration, shut down, decommission') },
  {
    ours: 'cursor',
    at: '/docs/syncing',
    asked: list(
      'pagination, paginate, paging, next page, page token, offset, sync token, continuation token, incremental, delta, polling, poll',
    ),
  },
  {
    ours: 'recovery sync',
    at: '/docs/syncing#recovery-sync',
    asked: list('resync, full sync, full import, initial import, backfill, bulk export, lost database, lost data, start from scratch'),
  },
  { ours: 'etag 304', at: '/docs/syncing#nothing-new-304', asked: list('cache, caching, conditional request, not modified, unchanged') },
  { ours: 'compression', at: '/docs/syncing#compression', asked: list('gzip, zstd, brotli') },
  { ours: 'history', asked: list('past changes, previous status, timeline') },
  {
    ours: 'certificate',
    at: '/docs/certificates',
    asked: list(
      'api key, api token, access token, bearer, bearer token, token, oauth, oauth2, openid, credential, client secret, secret, authenticate, authentication, authorization, auth, basic auth, jwt, mtls, mutual tls, tls, ssl, pem',
    ),
  },
  {
    ours: 'certificate rotation',
    at: '/docs/certificates#rotating-without-downtime',
    asked: list('rotate, rotate key, key rotation, new key, replace key, change key, rollover, renew key'),
  },
  {
    ours: 'certificate renewal',
    at: '/docs/certificate-renewal',
    asked: list('auto renew, automatic renewal, automate certificate, acme, letsencrypt, certbot, est'),
  },
  {
    ours: 'revoke certificate',
    at: '/docs/certificates#revoking',
    asked: list('leak, leaked key, compromise, stolen key, lost key, lost private key'),
  },
  { ours: 'p12', at: '/docs/certificates#p12-package', asked: list('pfx, pkcs12, keystore') },
  { ours: 'certificate request', at: '/docs/certificates#your-own-request', asked: list('csr, signing request, pkcs10') },
  { ours: 'scope', at: '/docs/quickstart#2-create-an-integration', asked: list('scope, permission, access right, oauth scope, grant') },
  {
    ours: 'deletion',
    at: '/docs/deletions',
    asked: list(
      'gdpr, dsgvo, ccpa, privacy, erase, erasure, right to be forgotten, forget user, delete data, delete user data, remove data, data retention, purge, ack, confirm deletion',
    ),
  },
  {
    ours: 'revoke',
    at: '/docs/deletions',
    asked: list('unlink, disconnect, withdraw consent, unshare, deauthorize, revocation, user removes access'),
  },
  {
    ours: 'test data',
    at: '/docs/sandbox',
    asked: list('sandbox data, dummy data, mock data, fake data, sample data, synthetic data, fixture, seed data, test order, test user'),
  },
  { ours: 'sandbox', at: '/docs/sandbox', asked: list('test environment, test mode, staging, playground, simulate, simulator, trial') },
  {
    ours: 'regenerate',
    at: '/docs/sandbox#start-over',
    asked: list('reset sandbox, reset test data, clear sandbox, wipe sandbox, start over'),
  },
  {
    ours: 'link code',
    at: '/docs/link-codes',
    asked: list('pairing code, pair, linking code, connect user, connect account, link account, link user, onboard user, redeem'),
  },
  {
    ours: 'webhook',
    at: '/docs/webhooks',
    asked: list('callback, push, push notification, hook, web hook, notification, subscribe, subscription'),
  },
  {
    ours: 'webhook signature',
    at: '/docs/webhooks#the-seven-rules',
    asked: list('verify signature, validate signature, check signature, hmac, signing secret, webhook secret'),
  },
  {
    ours: 'webhook challenge',
    at: '/docs/webhooks#register-and-prove-an-endpoint',
    asked: list('verify endpoint, validate endpoint, prove endpoint, verify url'),
  },
  {
    ours: 'webhook replay',
    at: '/docs/webhooks#answers',
    asked: list('redeliver, resend event, missed webhook, missed event, failed delivery, failed webhook, dead letter'),
  },
  {
    ours: 'your machine',
    at: '/docs/webhooks#try-it-on-your-machine',
    asked: list('localhost, local, locally, laptop, ngrok, tunnel, local development, receiver.test, own computer'),
  },
  {
    ours: 'event id twice',
    at: '/docs/webhooks#the-seven-rules',
    asked: list('duplicate event, duplicate webhook, dedupe, deduplicate, at least once, exactly once'),
  },
  { ours: 'proxy', at: '/docs/webhooks#behind-a-proxy', asked: list('nginx, load balancer, reverse proxy, cloudflare, waf') },
  {
    ours: 'rate limit',
    at: '/docs/quotas',
    asked: list('throttle, too many requests, rate limiting, requests per minute, requests per hour, max requests, quota, 429'),
  },
  { ours: 'retry', at: '/docs/errors#what-to-do', asked: list('backoff, try again, timeout') },
  {
    ours: 'errors',
    at: '/docs/errors',
    asked: list('error code, error handling, error format, exception, status code, problem json, rfc 9457'),
  },
  { ours: 'request id', at: '/docs/errors', asked: list('correlation id, trace id, debug, request log, logs') },
  {
    ours: 'openapi',
    at: '/docs/help#openapi-code-generators-and-postman',
    asked: list('postman, insomnia, swagger, codegen, code generator, mock server, json schema'),
  },
  {
    ours: 'operator kit',
    at: '/docs/help#the-operator-kit',
    asked: list('sdk, client library, library, npm package, node, typescript client, command line, cli, svc'),
  },
  {
    ours: 'support',
    at: '/docs/help#ask-a-person',
    asked: list('contact, contact support, help, customer service, report bug, bug, feedback, ticket, phone, talk to human, ask a person'),
  },
  {
    ours: 'service status',
    at: '/docs/help#is-the-service-up',
    asked: list('status, status page, outage, downtime, uptime, sla, incident, maintenance, is it down'),
  },
  { ours: 'markdown', at: '/docs/help#for-assistants-and-scripts', asked: list('llm, llms.txt, ai, chatgpt, agent, copilot, mcp') },
  {
    ours: 'vulnerability',
    at: '/docs/help#ask-a-person',
    asked: list('security.txt, security issue, security contact, responsible disclosure, bug bounty'),
  },
  {
    ours: 'passkey',
    at: '/docs/account#passkeys',
    asked: list('password, login, log in, sign in, signin, 2fa, mfa, two factor, webauthn, yubikey, sso'),
  },
  {
    ours: 'recovery code',
    at: '/docs/account#recovery-codes',
    asked: list('backup code, locked out, lost passkey, lost device, lost phone, new phone'),
  },
  { ours: 'session', at: '/docs/account#sessions', asked: list('logged out, sign out, log out, logout') },
  {
    ours: 'deleting account',
    at: '/docs/account#deleting-the-account',
    asked: list('delete account, delete my account, close account, remove account, cancel account'),
  },
  {
    ours: 'changing address',
    at: '/docs/account#changing-your-address',
    asked: list('change email, new email, update email, email preferences, unsubscribe'),
  },
  { ours: 'footer badge credit', at: '/docs/link-codes', asked: list('attribution, branding, powered by') },
  { ours: 'statistics', at: '/docs/statistics', asked: list('aggregate, analytics, anonymous data, missing number') },
  { ours: 'changelog', at: '/docs/changelog', asked: list("release notes, what's new, what is new, updates, news feed") },
  { ours: 'compatibility', at: '/docs/reference#compatibility', asked: list('breaking change, versioning, deprecation, api version') },
  { ours: 'glossary', at: '/docs/glossary', asked: list('terminology, definition, meaning of words') },
  {
    ours: 'integration status',
    at: '/docs/production#the-steps',
    asked: list('submission status, draft, status of integration, steps to production'),
  },
  {
    ours: 'visible data',
    at: '/docs/reference#visible-data',
    asked: list('vin, vehicle identification number, personal data, pii, real order number, which data, what data, which fields'),
  },
  {
    ours: 'one person one account',
    at: '/docs/account',
    asked: list('team, multiple users, colleague, invite, organization, member, second user'),
  },
  {
    ours: 'agreement',
    at: '/docs/glossary#review-and-production',
    asked: list('pricing, price, cost, fee, billing, commercial use, non commercial, license'),
  },
  {
    ours: 'ca.pem',
    at: '/docs/quickstart#3-get-a-client-certificate',
    asked: list('curl 77, curl 60, self signed, local issuer, certificate verify failed, unknown ca, root certificate'),
  },
  {
    ours: 'records in a response',
    at: '/docs/syncing#one-page',
    asked: list('page size, batch size, max records, how many records, limit parameter'),
  },
  {
    ours: 'sandbox and production',
    at: '/docs/sandbox#what-is-different-in-production',
    asked: list('environment, two environments, sandbox vs production, difference between sandbox and production'),
  },
  { ours: 'dark light colours', asked: list('theme, dark mode, light mode, night mode, appearance') },
  {
    ours: 'base url',
    at: '/docs/help#the-base-url',
    asked: list('base uri, root url, endpoint url, api url, api address, host, hostname, server address'),
  },
  {
    ours: 'dates and times',
    at: '/docs/syncing#dates-and-times',
    asked: list(
      'date format, time format, timestamp, timestamp format, time zone, timezone, utc, local time, datetime, rfc 3339, iso 8601',
    ),
  },
  {
    ours: 'where deliveries come from',
    at: '/docs/webhooks#where-deliveries-come-from',
    asked: list(
      'ip address, source ip, static ip, fixed ip, egress ip, outgoing ip, outgoing address, fixed address, ip range, allowlist, whitelist, firewall',
    ),
  },
  {
    ours: 'logo',
    at: '/docs/production#your-logo',
    asked: list('logo size, logo format, logo rules, logo requirements, icon, image size, upload logo'),
  },
  { ours: 'common name', at: '/docs/certificates#your-own-request', asked: list('client id, subject name') },
  { ours: 'webhook keys', at: '/docs/webhooks#keys', asked: list('signing key, webhook key, jwks, public key') },
  { ours: 'revocation list', at: '/docs/certificates#revoking', asked: list('crl, ocsp') },
  { ours: 'all operations', at: '/docs/reference', asked: list('list of endpoints, api endpoints, all endpoints, api docs, api methods') },
  {
    ours: 'keyboard shortcuts',
    at: '/docs/account#search-and-keyboard-shortcuts',
    asked: list('keyboard shortcut, shortcut, hotkey, command palette'),
  },
];

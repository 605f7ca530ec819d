import { lookup } from 'node:dns/promises';
import { readFile, stat } from 'node:fs/promises';
import { checkPair } from '../certificates/checkPair.ts';
import { KitError } from '../client/errors.ts';
import { refusalOf } from '../client/answers.ts';
import type { Answer } from '../client/calls.ts';
import { Transport } from '../client/Transport.ts';
import type { Capabilities } from '../contract/contract.ts';
import { remoteKeys } from '../webhook/remoteKeys.ts';
import type { Context } from './context.ts';
import { caOf, credentialsOf, pathOf, type Settings } from './settings.ts';
import { loadSqlite } from './sqlite.ts';

/** `next` is there where something is wrong, or will be; of a `note`, where it is wrong for some. */
type Finding = { readonly check: string; readonly says: string; readonly next?: string; readonly note?: true; readonly fatal?: true };

const day = 24 * 60 * 60 * 1000;

/** One line for each thing that was looked at, and one next step for each that is wrong. Ends with 8 if something is. */
export async function doctor(context: Context): Promise<number> {
  let wrong = 0;
  for await (const { check, says, next, note = false, fatal } of findings(context)) {
    const ok = next === undefined || note;
    if (!ok) wrong += 1;
    context.print(
      { check, ok, says, ...(next !== undefined && { next }) },
      `${note ? 'note ' : ok ? 'ok   ' : 'WRONG'} ${check}: ${says}${next === undefined ? '' : `\n      ${next}`}`,
    );
    if (fatal) break;
  }
  return wrong === 0 ? 0 : 8;
}

async function* findings(context: Context): AsyncGenerator<Finding> {
  yield await aboutNode();
  let settings: Settings;
  try {
    settings = await context.settings();
    await caOf(context.folder, settings);
  } catch (error) {
    return yield failed('settings', error);
  }
  yield { check: 'settings', says: `${settings.environment} at ${settings.baseUrl}` };
  const files = yield* aboutFiles(context, settings);
  if (!files) return;
  const { hostname, origin, pathname } = new URL(settings.baseUrl);
  try {
    yield { check: 'name', says: `${hostname} is ${(await lookup(hostname)).address}` };
  } catch (error) {
    return yield failed('name', error, `No name server knows ${hostname}. Check baseUrl in svc.json, and the name server.`);
  }
  const ca = await caOf(context.folder, settings);
  const transport = new Transport({ origin, credentials: credentialsOf(context.folder, settings), ca });
  let answer: Answer;
  try {
    answer = await transport.send({ method: 'GET', path: `${pathname.replace(/\/+$/, '')}/capabilities` }, context.signal);
  } catch (error) {
    return yield failed('connection', error, stepForConnection(error));
  } finally {
    transport.close();
  }
  yield { check: 'connection', says: 'the server’s certificate is trusted, and it has answered' };
  yield* aboutClock(answer);
  yield* aboutAnswer(answer, settings, files.validTo);
  yield await aboutKeys(settings, ca);
}

/** The command line copies into SQLite; who has a back end of their own may do without. */
async function aboutNode(): Promise<Finding> {
  try {
    await loadSqlite();
    return { check: 'Node', says: `${process.versions.node}, with SQLite` };
  } catch (error) {
    const { what, nextStep } = error as KitError;
    return { check: 'Node', says: what, next: `${nextStep} \`npx svc sync\` cannot run with this one.`, note: true };
  }
}

/** Returns when the certificate ends by its own dates, where that can be read here; null where the files are of no use. */
async function* aboutFiles(context: Context, settings: Settings): AsyncGenerator<Finding, { readonly validTo?: Date } | null> {
  try {
    if (settings.pfx !== undefined) {
      await credentialsOf(context.folder, settings).current();
      yield { check: 'certificate', says: `${settings.pfx} can be opened` };
      return {};
    }
    const paths = {
      cert: pathOf(context.folder, settings.cert ?? 'client.pem'),
      key: pathOf(context.folder, settings.key ?? 'client.key'),
    };
    const [certPem, keyPem] = [await readFile(paths.cert, 'utf8'), await readFile(paths.key, 'utf8')];
    const { commonName, validFrom, validTo } = checkPair(certPem, keyPem, { environment: settings.environment });
    yield { check: 'certificate', says: `${commonName}, with its key` };
    if (((await stat(paths.key)).mode & 0o077) !== 0) {
      yield { check: 'key', says: 'others on this machine can read it', next: `chmod 600 ${paths.key}` };
    }
    const [now, until] = [Date.now(), validTo.toISOString()];
    if (validFrom.getTime() > now)
      yield { check: 'dates', says: `it begins at ${validFrom.toISOString()}`, next: 'Set this machine’s clock right.' };
    else if (validTo.getTime() < now)
      yield { check: 'dates', says: `it has ended at ${until}`, next: 'Request a new certificate in the portal.' };
    else if (validTo.getTime() < now + 14 * day)
      yield { check: 'dates', says: `it ends at ${until}`, next: 'Run `npx svc renew`, or request a new one in the portal.' };
    else yield { check: 'dates', says: `valid until ${until} by its own dates` };
    return { validTo };
  } catch (error) {
    yield failed('certificate', error, 'Save certificate and key where svc.json says, or correct the paths there.');
    return null;
  }
}

/** Certificates and signatures of webhooks are judged by this machine’s clock. */
function* aboutClock({ headers }: Answer): Generator<Finding> {
  const skew = Math.round((Date.now() - Date.parse(headers.date ?? '')) / 1000);
  if (Number.isNaN(skew)) return;
  if (Math.abs(skew) <= 30) yield { check: 'clock', says: 'right within half a minute' };
  else
    yield {
      check: 'clock',
      says: `${Math.abs(skew)} seconds ${skew > 0 ? 'ahead' : 'behind'}`,
      next: 'Let a time service (NTP) set this machine’s clock.',
    };
}

function* aboutAnswer(answer: Answer, settings: Settings, validTo?: Date): Generator<Finding> {
  if (answer.status !== 200) return yield { ...failed('access', refusalOf(answer)), fatal: true };
  const capabilities = JSON.parse(answer.body.toString()) as Capabilities;
  const { environment, integration_status: status, scopes, production_data_enabled: open, client_id: clientId } = capabilities;
  yield { check: 'access', says: `${clientId}, integration ${status}` };
  const endsAt = new Date(capabilities.certificate.expires_at);
  // A certificate counts in seconds, and the service in milliseconds.
  if (validTo && endsAt.getTime() < validTo.getTime() - 1000) {
    yield {
      check: 'overlap',
      says: `the service takes this certificate only until ${endsAt.toISOString()}, because a newer one has been issued`,
      next: 'Install the newer certificate before then.',
    };
  }
  if (environment !== settings.environment) {
    yield {
      check: 'environment',
      says: `it is ${environment}`,
      next: `svc.json says ${settings.environment}: use the certificate of that environment.`,
    };
  }
  const missing = (settings.scopes ?? []).filter((scope) => !scopes.includes(scope));
  if (missing.length > 0)
    yield {
      check: 'scopes',
      says: `${missing.join(', ')} missing`,
      next: 'Change the scopes of the integration in the portal, or those in svc.json.',
    };
  else yield { check: 'scopes', says: scopes.join(', ') };
  if (environment === 'production' && !open) {
    yield { check: 'production gate', says: 'closed', next: 'Wait until the service opens it; capabilities says when it is.' };
  }
  const used = [...String(answer.headers.ratelimit ?? '').matchAll(/"([a-z-]+)";r=0;t=(\d+)/g)].map(
    ([, name, seconds]) => `${name} opens in ${seconds} s`,
  );
  yield used.length === 0
    ? { check: 'quotas', says: 'not used up' }
    : { check: 'quotas', says: used.join(', '), next: 'See what else calls with this client: all processes share its quotas.' };
}

async function aboutKeys({ portalUrl }: Settings, ca: string | undefined): Promise<Finding> {
  const url = new URL('/.well-known/svc-integration-webhook-jwks.json', portalUrl).href;
  const found = await remoteKeys(url, ca === undefined ? {} : { ca })('no-such-key');
  return found === 'unavailable'
    ? { check: 'webhook keys', says: `${url} cannot be read`, next: 'Check portalUrl in svc.json, and that this machine reaches it.' }
    : { check: 'webhook keys', says: 'can be read' };
}

/** What was thrown, with the step that it names itself, or else this one. */
function failed(check: string, error: unknown, next = 'Look the code up in the portal, under /problems.'): Finding {
  if (!(error instanceof KitError)) return { check, says: (error as Error).message, next };
  const says = error.what === error.nextStep ? error.code : `${error.code}. ${error.what}`;
  return { check, says, next: error.code === 'unreachable' ? next : error.nextStep };
}

const stepsByCode: readonly (readonly [pattern: RegExp, next: string])[] = [
  [/ECONNREFUSED/, 'Nothing listens there. Check the port in baseUrl.'],
  [/ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|no answer/, 'A firewall may drop the connection. Let this machine reach the host.'],
  [/ERR_TLS_CERT_ALTNAME_INVALID/, 'The server’s certificate is for another name. Use the address that the portal shows, and no alias.'],
  [/CERT_HAS_EXPIRED|CERT_NOT_YET_VALID/, 'The server’s certificate is out of its dates. Check this machine’s clock first.'],
  [
    /SELF_SIGNED|UNABLE_TO_|LEAF_SIGNATURE/,
    'Name the authority of the server’s certificate as `ca` in svc.json; if you have, a proxy opens TLS in between.',
  ],
  [/EPROTO|ERR_SSL|wrong version/i, 'What answers does not speak TLS. Check the port in baseUrl.'],
  [/ECONNRESET|EPIPE|socket hang up/, 'Something closed the connection, such as a proxy. A proxy may only tunnel it (CONNECT).'],
];

function stepForConnection(error: unknown): string {
  const { code, message } = ((error as KitError).cause ?? {}) as Partial<NodeJS.ErrnoException>;
  return stepsByCode.find(([pattern]) => pattern.test([code, message].join(' ')))?.[1] ?? 'Check the address in svc.json.';
}

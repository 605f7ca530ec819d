/**
 * A complete receiver of webhooks for Node 24 or later, without dependencies: `node receiver.ts`. It follows the seven rules of the guide in their
 * order. Copy it, and put your own work where `work` is.
 */
import { createHash, createPublicKey, timingSafeEqual, verify, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';

const registeredUrl = setting('WEBHOOK_URL'); // exactly as registered in the portal
const jwksUrl = setting('JWKS_URL'); // {portal}/.well-known/svc-integration-webhook-jwks.json
const source = setting('EVENT_SOURCE'); // the origin of the machine API
const environment = setting('ENVIRONMENT'); // sandbox or production
const answerChallenges = process.env['ANSWER_CHALLENGES'] === 'true'; // only while you prove the endpoint

const maximumBody = 64 * 1024; // ours: a snapshot has at most 16,000 bytes
const discarded = 1024 * 1024; // ours: how much of a body over the limit is read, and thrown away, before the refusal
const tolerance = 5 * 60; // ours: how many seconds `created` may differ from this clock
const keysKept = 60 * 60 * 1000; // as the key set's Cache-Control says
const refreshEvery = Number(process.env['JWKS_REFRESH_SECONDS'] ?? 30) * 1000; // ours: at most one refresh for unknown keys in this time
const keysTrusted = Number(process.env['JWKS_TRUSTED_SECONDS'] ?? 24 * 60 * 60) * 1000; // ours: how long a key set that cannot be read again counts
const types = new Set([
  'connection.created',
  'resource.granted',
  'resource.updated',
  'resource.revoked',
  'connection.revoked',
  'statistics.updated',
  'integration.suspended',
]);

/** The store that makes rule 7 true: an event is on disk, with the work that it causes, before the answer is sent. */
const database = new DatabaseSync(setting('DATABASE'));
database.exec('pragma journal_mode = wal; pragma synchronous = full');
database.exec('create table if not exists event (id text primary key, body text not null, done integer not null default 0)');
const commit = database.prepare('insert into event (id, body) values (?, ?) on conflict do nothing');

/** Why a request is not accepted. A status of 5xx has it delivered again, 4xx ends the delivery. */
class Refusal extends Error {
  readonly status: number;
  constructor(status: number, reason: string) {
    super(reason);
    this.status = status;
  }
}

async function receive(request: IncomingMessage): Promise<{ status: number; body?: object }> {
  // Rule 1: only POST, over HTTPS (this server speaks nothing else), on the exact registered route, and raw bytes under a limit.
  if (request.method !== 'POST') throw new Refusal(405, 'only POST');
  if (request.url !== routeOf(registeredUrl)) throw new Refusal(404, 'not the registered route');
  const body = await rawBody(request);
  if (request.headers['signature-input'] === undefined && request.headers['signature'] === undefined) return challenged(body);

  // Rule 2: parse Signature-Input structurally, and pick the key by keyid.
  const input = dictionary(request, 'signature-input').get('svc');
  if (!input) throw new Refusal(401, 'there is no signature with the label svc');
  const covered = ['@method', '@target-uri', 'content-digest', 'x-svc-event-id', 'x-svc-event-timestamp'];
  if (input.items?.join() !== covered.map((name) => `"${name}"`).join()) {
    throw new Refusal(401, 'not the components that every delivery covers');
  }
  const created = /^\d+$/.exec(input.parameters.get('created') ?? '')?.[0];
  const keyid = /^"(.*)"$/.exec(input.parameters.get('keyid') ?? '')?.[1];
  if (created === undefined || keyid === undefined || input.parameters.get('alg') !== '"ed25519"')
    throw new Refusal(401, 'parameters are missing');
  const key = await keyNamed(keyid.replaceAll(/\\(.)/g, '$1'));

  // Rule 3: the digest of the raw body, compared in constant time.
  const digest = byteSequence(request, 'content-digest', 'sha-256');
  const computed = createHash('sha256').update(body).digest();
  if (digest?.length !== computed.length || !timingSafeEqual(digest, computed)) throw new Refusal(400, 'wrong digest');

  // Rule 4: the signature, before anybody parses the body. @target-uri is the registered URL, whatever a proxy has made of it.
  const values: Record<string, string> = { '@method': 'POST', '@target-uri': registeredUrl };
  const lines = covered.map((name) => `"${name}": ${values[name] ?? header(request, name)}`);
  const base = [...lines, `"@signature-params": ${input.text}`].join('\n');
  const signature = byteSequence(request, 'signature', 'svc');
  if (!signature || !verify(null, Buffer.from(base, 'latin1'), key, signature)) throw new Refusal(401, 'wrong signature');

  // Rule 5: bounded freshness. The event ID against replays is rule 7's.
  if (Math.abs(Date.now() / 1000 - Number(created)) > tolerance) throw new Refusal(401, 'too old, or from the future');

  // Rule 6: parse, and compare with what was signed and what is expected.
  const event = parsed(body);
  if (event['id'] !== header(request, 'x-svc-event-id')) throw new Refusal(400, 'another event ID than was signed');
  if (event['time'] !== header(request, 'x-svc-event-timestamp')) throw new Refusal(400, 'another time than was signed');
  if (event['source'] !== source) throw new Refusal(400, 'unexpected source');
  if (event['environment'] !== environment) throw new Refusal(400, 'unexpected environment');
  if (typeof event['type'] !== 'string' || !types.has(event['type'])) throw new Refusal(400, 'unexpected type');

  // Rule 7: commit durably, then answer 2xx. A known ID is answered in the same way and causes nothing.
  const { changes } = commit.run(String(event['id']), body.toString());
  if (changes === 1) setImmediate(workAfterAnswer);
  return { status: 204 };
}

/** Does what waits in the store: yours to fill. It runs after the answer, and again at the next start if the process dies meanwhile. */
function work(): void {
  for (const { id, body } of database.prepare('select id, body from event where done = 0 order by rowid').all()) {
    const { type } = JSON.parse(String(body)) as { type: string };
    // For example: pull GET /v1/sync from the stored cursor. What is delivered twice or out of order then does no harm.
    process.stdout.write(`applied ${String(id)} ${type}\n`);
    database.prepare('update event set done = 1 where id = ?').run(id ?? null);
  }
}

/** What cannot be done now, as with a full disk, is done after the next event, and must not end the process. */
function workAfterAnswer(): void {
  try {
    work();
  } catch (error) {
    process.stdout.write(`left ${(error as Error).message}\n`);
  }
}

/** The ownership challenge is unsigned and no event. It is answered only while you are proving the endpoint. */
function challenged(body: Buffer): { status: number; body: object } {
  if (!answerChallenges) throw new Refusal(401, 'not signed');
  const { type, challenge } = parsed(body);
  if (type !== 'svc.webhook.verification' || typeof challenge !== 'string') throw new Refusal(401, 'not signed');
  return { status: 200, body: { challenge } };
}

// --- Keys: read again after an hour, and for an unknown keyid, but never more often than the limit ---

let keys = new Map<string, KeyObject>();
let readAt = -Infinity;
/** When it was last tried because the key set was old, and because a key was unknown: each has its own limit. */
const triedAt = { old: -Infinity, unknown: -Infinity };
let reading: Promise<void> | undefined;

async function keyNamed(kid: string): Promise<KeyObject> {
  const reason = Date.now() - readAt >= Math.min(keysKept, keysTrusted) ? 'old' : keys.has(kid) ? null : 'unknown';
  let fresh = false;
  if (reason && (reading || Date.now() - triedAt[reason] >= refreshEvery)) {
    if (!reading) triedAt[reason] = Date.now();
    reading ??= readKeys().finally(() => (reading = undefined));
    fresh = await reading.then(
      () => true,
      () => false,
    );
  }
  // A key may have been revoked since, and an attacker who keeps the key set from us must gain nothing by it.
  if (!fresh && Date.now() - readAt >= keysTrusted) throw new Refusal(503, 'the key set has not been read for too long');
  const key = keys.get(kid);
  if (key) return key;
  // An unknown key is never accepted. It is refused for good only if the key set was read just now: otherwise the delivery may come again.
  throw fresh ? new Refusal(401, 'unknown key') : new Refusal(503, 'the key set cannot be read now');
}

async function readKeys(): Promise<void> {
  const response = await fetch(jwksUrl, { signal: AbortSignal.timeout(5_000), redirect: 'error' });
  if (!response.ok) throw new Error(`The key set was answered with ${response.status}.`);
  const { keys: found } = (await response.json()) as { keys: { kty: string; crv: string; kid: string; x: string }[] };
  const usable = found.filter(({ kty, crv }) => kty === 'OKP' && crv === 'Ed25519');
  keys = new Map(usable.map(({ kid, x }) => [kid, createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })]));
  readAt = Date.now();
}

// --- Structured fields (RFC 9651) ---

/** A member of a dictionary. Values are kept as the text that was sent. */
type Member = {
  /** All of it behind the equals sign: of Signature-Input, this is what was signed. */
  text: string;
  /** Without the parameters. */
  value: string;
  /** Of an inner list: each with its own parameters. */
  items: string[] | undefined;
  parameters: Map<string, string>;
};

/** An item that is no list: string, bytes, boolean, number or date, display string, token. */
const bareItem =
  /^(?:"(?:[ !#-[\]-~]|\\["\\])*"|:[A-Za-z0-9+/]*={0,2}:|\?[01]|@-?\d{1,15}|-?(?:\d{1,12}\.\d{1,3}|\d{1,15})|%"(?:[ !#$&-~]|%[0-9a-f]{2})*"|[A-Za-z*][!#$%&'*+.^_`|~\w:/-]*)/;

/** A header that is a dictionary, with every form that other members may have. One that is not well formed is refused. */
function dictionary(request: IncomingMessage, name: string): Map<string, Member> {
  const field = header(request, name);
  let rest = field;
  const take = (pattern: RegExp): string => {
    const [found] = pattern.exec(rest) ?? [];
    if (found === undefined) throw new Refusal(401, `${name} is not well formed`);
    rest = rest.slice(found.length);
    return found;
  };
  const since = (start: string): string => start.slice(0, start.length - rest.length);
  const key = (): string => take(/^[a-z*][a-z0-9_.*-]*/);
  const parameters = (): Map<string, string> => {
    const found = new Map<string, string>();
    while (rest.startsWith(';')) {
      take(/^; */);
      found.set(key(), rest.startsWith('=') ? take(/^=/) && take(bareItem) : '?1');
    }
    return found;
  };
  const innerList = (): string[] => {
    const items: string[] = [];
    take(/^\( */);
    while (!rest.startsWith(')')) {
      const start = rest;
      take(bareItem);
      parameters();
      items.push(since(start));
      if (!rest.startsWith(')')) take(/^ +/);
    }
    take(/^\)/);
    return items;
  };
  const members = new Map<string, Member>();
  for (;;) {
    const label = key();
    let start = rest;
    let value = '?1'; // without a value, it is true
    let items: string[] | undefined;
    if (rest.startsWith('=')) {
      take(/^=/);
      start = rest;
      if (rest.startsWith('(')) items = innerList();
      else take(bareItem);
      value = since(start);
    }
    members.set(label, { value, items, parameters: parameters(), text: since(start) });
    if (/^[ \t]*$/.test(rest)) return members;
    take(/^[ \t]*,[ \t]*/);
  }
}

/** A member of a dictionary that is a byte sequence, if it is there. */
function byteSequence(request: IncomingMessage, name: string, label: string): Buffer | undefined {
  const value = dictionary(request, name).get(label)?.value;
  return value?.startsWith(':') ? Buffer.from(value.slice(1, -1), 'base64') : undefined;
}

// --- HTTP ---

/** Path and query as they are on the request line, with nothing normalized. */
function routeOf(url: string): string {
  const route = /^https:\/\/[^/?]*(.*)$/.exec(url)?.[1] ?? '';
  return route.startsWith('/') ? route : `/${route}`;
}

async function rawBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // A sender that is cut off may never see the refusal, so some of what is too much is read, and the connection stays.
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length;
    if (size <= maximumBody) chunks.push(chunk as Buffer);
    else if (size > discarded) break;
  }
  if (size > maximumBody) throw new Refusal(413, 'too large');
  return Buffer.concat(chunks);
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  if (typeof value !== 'string') throw new Refusal(401, `${name} is missing`);
  return value;
}

function parsed(body: Buffer): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Answered below.
  }
  throw new Refusal(400, 'not a JSON object');
}

function setting(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`Set ${name}.`);
  return value;
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  try {
    const { status, body } = await receive(request);
    response.writeHead(status, body ? { 'Content-Type': 'application/json' } : {}).end(body && JSON.stringify(body));
  } catch (error) {
    // What is not a refusal is our own fault, such as a full disk. The delivery comes again.
    const status = error instanceof Refusal ? error.status : 503;
    process.stdout.write(`refused ${status} ${(error as Error).message}\n`);
    response.writeHead(status, status === 413 ? { Connection: 'close' } : {}).end();
  }
}

work();
const server = createServer({ cert: readFileSync(setting('TLS_CERT_FILE')), key: readFileSync(setting('TLS_KEY_FILE')) });
server.requestTimeout = 15_000;
server.on('request', (request, response) => void answer(request, response));
server.listen(Number(process.env['PORT'] ?? 443), process.env['HOST'] ?? '::', () => {
  process.stdout.write(`listening ${(server.address() as AddressInfo).port}\n`);
});

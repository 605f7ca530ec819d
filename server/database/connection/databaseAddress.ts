import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIPv4 } from 'node:net';
import { checkServerIdentity, createSecureContext, type ConnectionOptions } from 'node:tls';

/** Where PostgreSQL is, as whom to connect, and what TLS has to prove. */
type DatabaseAddress = {
  /** A name, an IP address, or the folder of a Unix socket (which begins with a slash). */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly password: string | undefined;
  readonly database: string;
  /** False: the connection is not encrypted. */
  readonly tls: ConnectionOptions | false;
};

/** What a database URL asks for cannot be done. The message names the parameter and its rule, never the URL or a value. */
export class DatabaseUrlError extends Error {
  override readonly name = 'DatabaseUrlError';
}

const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full'] as const;
type TlsMode = (typeof tlsModes)[number];

const parameters = ['sslmode', 'sslrootcert', 'sslcert', 'sslkey'] as const;
type Parameters = Readonly<Partial<Record<(typeof parameters)[number], string>>>;

/** The value of sslrootcert that means the authorities that Node trusts by itself. */
const everybodysAuthorities = 'system';

const oneServer = 'the URL names one server; with a standby, use one address that leads to the primary';
const settingsOfRole = 'settings belong to the role (docs/operating.md, “PostgreSQL”)';

/** Why parameters that libpq knows are refused. */
const refusals: Readonly<Record<string, string>> = {
  host: oneServer,
  hostaddr: oneServer,
  port: oneServer,
  target_session_attrs: oneServer,
  load_balance_hosts: oneServer,
  options: settingsOfRole,
  statement_timeout: settingsOfRole,
  search_path: settingsOfRole,
  application_name: 'each connection names its own use',
  ssl: 'is not supported; use sslmode',
};

/**
 * Judges a database URL (`postgres://user:password@host:port/database?sslmode=…`) and reads the files that it names. Throws
 * `DatabaseUrlError` for anything that the service cannot do, instead of ignoring it.
 */
export function databaseAddressOf(databaseUrl: string): DatabaseAddress {
  // A list of hosts is no valid URL, and would only be called malformed.
  const authority = /^postgres(?:ql)?:\/\/([^/?#]*)/.exec(databaseUrl)?.[1];
  if (authority === undefined) throw new DatabaseUrlError('must start with postgres:// or postgresql://');
  if (authority.slice(authority.lastIndexOf('@') + 1).includes(',')) throw new DatabaseUrlError(`names several hosts: ${oneServer}`);
  let url: URL;
  try {
    url = new URL(databaseUrl);
  } catch {
    throw new DatabaseUrlError('is not a valid URL; characters such as / or # in a password have to be percent-encoded');
  }
  const host = decoded(url.hostname, 'host').replace(/^\[(.+)\]$/, '$1');
  const user = decoded(url.username, 'user');
  const database = decoded(url.pathname.slice(1), 'database');
  if (host === '') throw new DatabaseUrlError('must name a host');
  if (user === '') throw new DatabaseUrlError('must name a user');
  if (database === '') throw new DatabaseUrlError('must name a database');
  const password = url.password === '' ? undefined : decoded(url.password, 'password');
  return { host, port: url.port === '' ? 5432 : Number(url.port), user, password, database, tls: tlsOf(parametersOf(url), host) };
}

/** Whether a URL leads to this machine, or says itself what TLS has to prove. In production, plain text has to be asked for. */
export function saysHowToEncrypt(databaseUrl: string): boolean {
  const { host } = databaseAddressOf(databaseUrl);
  return isSocket(host) || isThisMachine(host) || new URL(databaseUrl).searchParams.has('sslmode');
}

function decoded(text: string, name: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new DatabaseUrlError(`${name}: is not percent-encoded correctly`);
  }
}

function parametersOf({ searchParams }: URL): Parameters {
  const found: Partial<Record<string, string>> = {};
  for (const [name, value] of searchParams) {
    if (!parameters.some((known) => known === name)) throw new DatabaseUrlError(`${name}: ${refusals[name] ?? 'is not supported'}`);
    if (found[name] !== undefined) throw new DatabaseUrlError(`${name}: may be given once only`);
    if (value === '') throw new DatabaseUrlError(`${name}: must not be empty`);
    found[name] = value;
  }
  return found;
}

function tlsOf({ sslmode = 'disable', sslrootcert, sslcert, sslkey }: Parameters, host: string): ConnectionOptions | false {
  if (!isTlsMode(sslmode)) throw new DatabaseUrlError(`sslmode: ${whyNot(sslmode)}`);
  if (sslmode === 'disable') {
    const [unused] = Object.entries({ sslrootcert, sslcert, sslkey }).find(([, value]) => value !== undefined) ?? [];
    if (unused !== undefined) throw new DatabaseUrlError(`${unused}: needs sslmode=require, verify-ca or verify-full`);
    return false;
  }
  if (isSocket(host)) throw new DatabaseUrlError('sslmode: a connection through a Unix socket is never encrypted; use sslmode=disable');
  if (sslmode !== 'require' && sslrootcert === undefined) {
    throw new DatabaseUrlError(
      `sslrootcert: is required with sslmode=${sslmode}; name the file with your authority’s certificate, or write ${everybodysAuthorities}`,
    );
  }
  if (sslmode === 'verify-ca' && sslrootcert === everybodysAuthorities) {
    throw new DatabaseUrlError(`sslrootcert: with ${everybodysAuthorities} anybody’s certificate would do; use sslmode=verify-full`);
  }
  if ((sslcert === undefined) !== (sslkey === undefined)) {
    throw new DatabaseUrlError(
      sslcert === undefined ? 'sslcert: is required when sslkey is given' : 'sslkey: is required when sslcert is given',
    );
  }
  const files = {
    ...(sslrootcert !== undefined && sslrootcert !== everybodysAuthorities && { ca: fileOf('sslrootcert', sslrootcert) }),
    ...(sslcert !== undefined && { cert: fileOf('sslcert', sslcert) }),
    ...(sslkey !== undefined && { key: fileOf('sslkey', sslkey) }),
  };
  try {
    createSecureContext(files);
    // A root that is no certificate would trust nobody, and nobody would learn why.
    if (files.ca !== undefined) void new X509Certificate(files.ca);
  } catch {
    throw new DatabaseUrlError(
      'sslrootcert, sslcert, sslkey: must be PEM files, and the key must be the certificate’s own, without a passphrase',
    );
  }
  return {
    ...files,
    // With a root, `require` proves as much as `verify-ca`, as in libpq.
    rejectUnauthorized: sslmode !== 'require' || sslrootcert !== undefined,
    // The libraries name the host only if it is a name, and Node would compare an address’s certificate with “localhost”.
    checkServerIdentity: (_name, certificate) => (sslmode === 'verify-full' ? checkServerIdentity(host, certificate) : undefined),
  };
}

function whyNot(sslmode: string): string {
  return sslmode === 'prefer' || sslmode === 'allow'
    ? `${sslmode} goes on in plain text if the server does not encrypt; use ${tlsModes.join(', ')}`
    : `must be ${tlsModes.join(', ')}`;
}

function fileOf(name: string, path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new DatabaseUrlError(`${name}: the file cannot be read`);
  }
}

function isTlsMode(text: string): text is TlsMode {
  return tlsModes.some((mode) => mode === text);
}

function isSocket(host: string): boolean {
  return host.startsWith('/');
}

/** Whether a host is the loopback address. A name such as 127.example.com is anybody's. */
export function isThisMachine(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
}

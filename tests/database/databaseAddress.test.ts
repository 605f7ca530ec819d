import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { ensureDevelopmentTls } from '../../server/platform/developmentTls.ts';
import { connectionOf } from '../../server/database/connection/connectionOf.ts';
import { databaseAddressOf, DatabaseUrlError, saysHowToEncrypt } from '../../server/database/connection/databaseAddress.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-address-'));
  await ensureDevelopmentTls(folder, ['db.internal']);
  writeFileSync(join(folder, 'empty.pem'), 'nothing');
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const base = 'postgres://svc:secret@db.internal/svc';
/** The parameters of a URL, in which `@x` is the file x. */
const withParameters = (parameters: string) => `${base}?${parameters.replaceAll('@', `${folder}/`)}`;

function refusalOf(url: string): string {
  try {
    databaseAddressOf(url);
  } catch (error) {
    expect(error).toBeInstanceOf(DatabaseUrlError);
    return (error as Error).message;
  }
  return 'taken';
}

test.each([
  ['mysql://svc@db/svc', 'must start with postgres://'],
  ['postgres://svc:secret@one,two/svc', 'several hosts'],
  ['postgres://svc:secret@one:5432,two:5432/svc?target_session_attrs=read-write', 'several hosts'],
  ['postgres://svc:sec/ret@db/svc', 'percent-encoded'],
  ['postgres://svc:secret@db:port/svc', 'not a valid URL'],
  ['postgres://db.internal/svc', 'must name a user'],
  ['postgres://svc:secret@db.internal', 'must name a database'],
  ['postgres://svc:secret@db.internal/', 'must name a database'],
  ['postgres://svc:secret@/svc', 'not a valid URL'],
  ['postgres://svc:%zz@db.internal/svc', 'password: is not percent-encoded'],
  [`${base}?sslmode=prefer`, 'sslmode: prefer goes on in plain text'],
  [`${base}?sslmode=allow`, 'sslmode: allow goes on in plain text'],
  [`${base}?sslmode=verify`, 'sslmode: must be disable, require, verify-ca, verify-full'],
  [`${base}?sslmode=`, 'sslmode: must not be empty'],
  [`${base}?sslmode=require&sslmode=disable`, 'sslmode: may be given once only'],
  [`${base}?ssl=true`, 'ssl: is not supported; use sslmode'],
  [`${base}?sslmode=verify-full`, 'sslrootcert: is required with sslmode=verify-full'],
  [`${base}?sslmode=verify-ca`, 'sslrootcert: is required with sslmode=verify-ca'],
  [`${base}?sslmode=verify-ca&sslrootcert=system`, 'use sslmode=verify-full'],
  [`${base}?sslmode=require&sslcert=/c.pem`, 'sslkey: is required when sslcert is given'],
  [`${base}?sslmode=require&sslkey=/c.key`, 'sslcert: is required when sslkey is given'],
  [`${base}?sslmode=verify-full&sslrootcert=/no/such/file`, 'sslrootcert: the file cannot be read'],
  [`${base}?sslrootcert=/ca.pem`, 'sslrootcert: needs sslmode=require'],
  [`${base}?sslmode=disable&sslcert=/ca.pem&sslkey=/ca.key`, 'sslcert: needs sslmode=require'],
  ['postgres://svc@%2Frun%2Fpostgresql/svc?sslmode=require', 'a connection through a Unix socket is never encrypted'],
  [`${base}?target_session_attrs=read-write`, 'target_session_attrs: the URL names one server'],
  [`${base}?host=other`, 'host: the URL names one server'],
  [`${base}?options=-c%20statement_timeout%3D0`, 'options: settings belong to the role'],
  [`${base}?application_name=mine`, 'application_name: each connection names its own use'],
  [`${base}?channel_binding=require`, 'channel_binding: is not supported'],
  [`${base}?sslnegotiation=direct`, 'sslnegotiation: is not supported'],
])('%s is refused by name instead of being ignored in part', (url, words) => {
  const message = refusalOf(url);
  expect(message).toContain(words);
  expect(message).not.toContain('secret');
});

test('files that are no certificates, or a key that belongs to another one, are refused before anybody connects', () => {
  expect(refusalOf(withParameters('sslmode=verify-full&sslrootcert=@empty.pem'))).toContain('must be PEM files');
  expect(refusalOf(withParameters('sslmode=require&sslcert=@server.pem&sslkey=@ca.key'))).toContain('must be PEM files');
});

test('plain text is for the same machine; for another one, production wants it to be asked for', () => {
  for (const url of [
    'postgres://svc@localhost/svc',
    'postgres://svc@127.0.0.1/svc',
    'postgres://svc@[::1]/svc',
    'postgres://svc@%2Frun/svc',
  ]) {
    expect(databaseAddressOf(url).tls).toBe(false);
    expect(saysHowToEncrypt(url)).toBe(true);
  }
  expect(saysHowToEncrypt(base)).toBe(false);
  expect(saysHowToEncrypt('postgres://svc@127.example.com/svc')).toBe(false);
  expect(saysHowToEncrypt(`${base}?sslmode=disable`)).toBe(true);
});

test('every connection gets the same address, and nothing in the start-up message that a pooler would refuse', () => {
  expect(connectionOf('postgres://us%40er:p%2Fw@[2001:db8::1]:6543/d%20b', { name: 'portal' })).toEqual({
    host: '2001:db8::1',
    port: 6543,
    user: 'us@er',
    password: 'p/w',
    database: 'd b',
    ssl: false,
    application_name: 'portal',
    keepAlive: true,
    keepAliveInitialDelayMillis: 60_000,
  });
  expect(connectionOf('postgres://svc@%2Frun%2Fpostgresql/svc', { name: 'portal' })).toMatchObject({ host: '/run/postgresql', port: 5432 });
});

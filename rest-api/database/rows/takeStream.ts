import { createRequire } from 'node:module';
import { Duplex } from 'node:stream';
import pg from 'pg';

/*
 * What the reader of rows needs of pg that pg does not document: its connection and the one listener by which it reads. It is tried when this
 * file is loaded: with a release that works otherwise, the machine API ends at its start and says why, instead of mixing up answers later.
 */

/** The release of pg with which this was last seen to hold. */
const seenWith = '8.23.0';

/** The stream of a client that has connected, which the client hears nothing of from now on. `onBytes` gets what arrives. */
export function takeStream(client: pg.Client, onBytes: (bytes: Buffer) => void): Duplex {
  const { stream } = client.connection;
  stream.removeAllListeners('data');
  return stream.on('data', onBytes);
}

/** Connects a client to a server that is not there. Throws if its stream cannot be taken. */
export function checkPg(connect: (config: pg.ClientConfig) => pg.Client): void {
  const stream = Object.assign(new Duplex({ read: () => {}, write: (_bytes, _encoding, done) => done() }), {
    connect: () => {},
    setNoDelay: () => {},
  });
  const client = connect({ stream: () => stream, ssl: false, user: 'nobody', connectionTimeoutMillis: 0 });
  let connected = false;
  const heard: unknown[] = [];
  client.on('connect', () => {
    connected = true;
  });
  client.on('error', (error) => heard.push(error));
  client.connect(() => {});
  stream.emit('connect');
  stream.emit('data', Buffer.concat([authenticationOk, readyForQuery]));
  holds(connected, 'a client connects through the stream that it is given, and reads it by the event “data”');
  holds(client.connection?.stream === stream, 'a client’s stream is connection.stream');
  const taken: Buffer[] = [];
  takeStream(client, (bytes) => taken.push(bytes));
  stream.emit('data', errorResponse);
  holds(heard.length === 0, 'without its listener to “data”, a client reads nothing');
  holds(taken.length === 1 && stream.listenerCount('data') === 1, 'another listener to “data” gets what arrives');
}

const authenticationOk = Buffer.from('R\0\0\0\x08\0\0\0\0');
const readyForQuery = Buffer.from('Z\0\0\0\x05I');
const errorResponse = Buffer.from('E\0\0\0\x13SFATAL\0CXX000\0\0');

function holds(assumption: boolean, words: string): void {
  if (assumption) return;
  const { version } = createRequire(import.meta.url)('pg/package.json') as { version: string };
  const found = `pg ${version}; it last held with ${seenWith}`;
  throw new Error(`The reader of rows relies on this, which no longer holds: ${words} (${found}). See rest-api/database/rows/README.md.`);
}

checkPg((config) => new pg.Client(config));

import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import pg from 'pg';
import { checkPg } from '../../rest-api/database/rows/takeStream.ts';

const { version } = createRequire(import.meta.url)('pg/package.json') as { version: string };

test('what the reader of rows relies on holds with the release of pg that is installed', () => {
  expect(() => checkPg((config) => new pg.Client(config))).not.toThrow();
});

/** A client that listens to its stream as well, or instead. */
function clientWhere(change: (client: pg.Client) => void): (config: pg.ClientConfig) => pg.Client {
  return (config) => {
    const client = new pg.Client(config);
    change(client);
    return client;
  };
}

test.each([
  [
    'a client connects through the stream that it is given, and reads it by the event “data”',
    clientWhere(({ connection }) => connection.stream.on('connect', () => connection.stream.removeAllListeners('data'))),
  ],
  [
    'a client’s stream is connection.stream',
    clientWhere((client) => client.once('connect', () => Reflect.set(client, 'connection', { stream: null }))),
  ],
  [
    'without its listener to “data”, a client reads nothing',
    clientWhere((client) =>
      client.once('connect', () => {
        const { stream } = client.connection;
        const [read] = stream.listeners('data');
        stream.removeAllListeners = () => stream.on('data', (bytes) => read?.call(stream, bytes));
      }),
    ),
  ],
  [
    'another listener to “data” gets what arrives',
    clientWhere((client) =>
      client.once('connect', () => {
        const { stream } = client.connection;
        const on = stream.on.bind(stream);
        stream.on = (event: string, listener: () => void) => on(event === 'data' ? 'readable' : event, listener);
      }),
    ),
  ],
])('a release with which it no longer holds that %s is named with these words', (words, connect) => {
  expect(() => checkPg(connect)).toThrow(`${words} (pg ${version}; it last held with ${version})`);
});

import { Server } from 'node:http';
import { expect, test } from '@jest/globals';
import { checkNode } from '../../../server/platform/http/nodeInternals.ts';

test('what the servers rely on holds with the release of Node that is installed', () => {
  expect(() => checkNode(new Server())).not.toThrow();
});

/** A server whose own listener gets each connection changed in this way. */
function serverWhere(change: (connection: NodeJS.EventEmitter, begin: () => void) => void): Server {
  const server = new Server();
  const [listener] = server.listeners('connection');
  return server.removeAllListeners('connection').on('connection', (connection) => {
    change(connection, () => listener?.call(server, connection));
  });
}

test.each([
  [
    'a server has the property httpAllowHalfOpen',
    () => {
      const server = new Server();
      Reflect.deleteProperty(server, 'httpAllowHalfOpen');
      return server;
    },
  ],
  [
    'a listener to “connection” reads requests from the event “data”',
    () => serverWhere((connection) => void connection.on('readable', () => {})),
  ],
  ['a request begins as soon as its head has been read', () => serverWhere((connection) => void connection.on('data', () => {}))],
  [
    'destroySoon of its connection ends it after the last answer',
    () =>
      serverWhere((connection, begin) => {
        Object.assign(connection, { destroySoon: () => {} });
        begin();
      }),
  ],
  [
    'without its listener to “data”, no request is read from a connection',
    () =>
      serverWhere((connection, begin) => {
        begin();
        const parse = connection.listeners('data')[0] as (bytes: Buffer) => void;
        const off = connection.off.bind(connection);
        connection.off = (event, listener) => (listener === parse ? connection : off(event, listener));
      }),
  ],
])('a release with which it no longer holds that %s is named with these words', (words, server) => {
  expect(() => checkNode(server())).toThrow(`${words} (Node ${process.versions.node}; it last held with ${process.versions.node})`);
});

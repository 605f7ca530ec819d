import { Server } from 'node:http';
import type { Server as NetServer, Socket } from 'node:net';
import { Duplex } from 'node:stream';

/*
 * What both servers need of Node's HTTP server that Node does not document. Each need has one function here, and all are tried when this file
 * is loaded: with a release that works otherwise, the process ends at its start and says why, instead of losing answers later.
 */

/** The release of Node with which all of this was last seen to hold. */
const seenWith = '26.10.0';

type ConnectionListener = (this: NetServer, connection: Duplex) => void;

/** Lets callers close their side after a request and still get the answer. Node would end the connection. */
export function allowHalfOpen(server: NetServer): void {
  Object.assign(server, { httpAllowHalfOpen: true });
}

/** Calls `end` where Node would end a connection, which is after an answer with `Connection: close`. */
export function onLastAnswer(connection: Duplex, end: () => void): void {
  Object.assign(connection, { destroySoon: end });
}

/** Keeps Node from reading any more requests from a connection. */
export function stopParsing(connection: Duplex): void {
  const drop = () => {};
  // Where Node's parser reads below the stream, it returns to the stream as soon as somebody else listens.
  connection.on('data', drop);
  for (const listener of connection.listeners('data')) if (listener !== drop) connection.off('data', listener as () => void);
}

/**
 * Calls `hold` with each new connection of a server instead of what listens to its connections now, Node's own listener included. `begin`
 * passes a connection on to these listeners. Another server in front would not do: Node bounds the time of requests only where the server
 * itself listens.
 */
export function holdConnections(server: NetServer, hold: (socket: Socket, begin: (connection: Duplex) => void) => void): void {
  const listeners = server.listeners('connection') as ConnectionListener[];
  const begin = (connection: Duplex) => {
    for (const listener of listeners) listener.call(server, connection);
  };
  server.removeAllListeners('connection').on('connection', (socket: Socket) => hold(socket, begin));
}

/** Sends a request through a server that does not listen. Throws if any of the above does not work with it. */
export function checkNode(server: Server): void {
  const connection = new Duplex({ read: () => {}, write: (_bytes, _encoding, done) => done() });
  let requests = 0;
  let ended = false;
  onLastAnswer(connection, () => {
    ended = true;
  });
  server.on('request', (_request, response) => {
    requests += 1;
    response.setHeader('Connection', 'close').writeHead(204).emit('finish');
  });
  holdConnections(server, (held, begin) => begin(held));
  const send = () => connection.emit('data', Buffer.from('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'));

  holds('httpAllowHalfOpen' in server, 'a server has the property httpAllowHalfOpen');
  server.emit('connection', connection);
  holds(connection.listenerCount('data') > 0, 'a listener to “connection” reads requests from the event “data”');
  send();
  holds(requests === 1, 'a request begins as soon as its head has been read');
  holds(ended, 'destroySoon of its connection ends it after the last answer');
  stopParsing(connection);
  send();
  holds(requests === 1, 'without its listener to “data”, no request is read from a connection');
}

function holds(assumption: boolean, words: string): void {
  if (assumption) return;
  const found = `Node ${process.versions.node}; it last held with ${seenWith}`;
  throw new Error(`The servers rely on this, which no longer holds: ${words} (${found}). See server/platform/http/nodeInternals.ts.`);
}

checkNode(new Server());

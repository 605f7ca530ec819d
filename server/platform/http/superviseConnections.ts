import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import { type BlockList, Server as NetServer, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { serverLimits } from './serverLimits.ts';
import { bareConnection, callerAddress } from '../callerAddress.ts';
import { isOneOf } from '../clientAddress.ts';
import { closedConnections, openConnections } from '../metrics.ts';
import { sourceAddress } from '../sourceAddress.ts';
import { ConnectionTable, type Entry } from './ConnectionTable.ts';
import { type BareAnswer, bytesOf } from './bareAnswer.ts';
import { inspectHandshakes } from './inspectHandshakes.ts';
import { awaitProxyHeaders } from './proxy/awaitProxyHeaders.ts';
import { hasBody } from './receiveBody.ts';

type SupervisionOptions = {
  /** The server's name in the metrics. */
  readonly name: string;
  /** How many connections it may hold: `connectionShare`. */
  readonly connections: number;
  /** Our own proxies. Their connections carry everybody's requests, so no limit by address applies to them. */
  readonly trustedProxies?: BlockList;
  /** Our own balancers, which say with the PROXY protocol for whom each connection is. It then counts for that address. */
  readonly balancers?: BlockList;
  readonly handshakeTimeoutMs?: number;
  /** Aborted when the process is told to stop. From then on, connections end with the answer to what was asked on them last. New ones are still let in. */
  readonly stopping?: AbortSignal | undefined;
};

type Supervision = {
  /**
   * Stops listening, finishes the requests that have arrived (within 10 s) and waits for nobody else. But if the process has been told to stop, a caller who
   * has connected and not asked for anything yet has a second to do so.
   */
  stop(): Promise<void>;
};

/** A connection, and the requests on it that have not been answered yet. */
type Peer = {
  readonly entry: Entry;
  readonly exchanges: Map<ServerResponse, IncomingMessage>;
  /** The answer that was told to end the connection. */
  last?: ServerResponse;
};

/**
 * Bounds what strangers can hold open at a server: connections altogether and by address, handshakes also by time (with the header of a balancer,
 * if there is one) and by what their certificates cost, and peers that neither send nor read. Call it before the server listens, and before
 * anything else listens to its connections.
 */
export function superviseConnections(server: Server | TlsServer, options: SupervisionOptions): Supervision {
  const { name, connections, trustedProxies, balancers, handshakeTimeoutMs = serverLimits.handshakeTimeout, stopping: told } = options;
  const unbound = trustedProxies ?? balancers;
  const count = (reason: string) => closedConnections.inc({ server: name, reason });
  const table = new ConnectionTable(boundsOf(connections), () => count('displaced'));
  const peers = new WeakMap<Socket, Peer>();
  const newcomers = new Set<Peer>();
  const asking = new Set<Peer>();
  const handshakes = new Map<Socket, { peer: Peer; deadline: NodeJS.Timeout }>();
  let draining = false;
  let stopping = false;

  server.timeout = serverLimits.connectionInactivity;
  const accept = (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) {
      // It was closed before anybody looked at it.
      socket.destroy();
      return;
    }
    const known = peers.get(socket);
    if (known) {
      // Its balancer has said for whom it is.
      table.claim(known.entry, sourceAddress(callerAddress(socket)));
      return;
    }
    const address = unbound && isOneOf(remoteAddress, unbound) ? null : sourceAddress(remoteAddress);
    const peer: Peer = { entry: table.add(address, () => socket.destroy()), exchanges: new Map() };
    peers.set(socket, peer);
    newcomers.add(peer);
    openConnections.inc({ server: name });
    if (isTls(server)) {
      const deadline = setTimeout(() => {
        count('handshake_timeout');
        socket.destroy();
      }, handshakeTimeoutMs);
      handshakes.set(socket, { peer, deadline });
    }
    socket.once('close', () => {
      openConnections.dec({ server: name });
      table.remove(peer.entry);
      newcomers.delete(peer);
      asking.delete(peer);
      clearTimeout(handshakes.get(socket)?.deadline);
      handshakes.delete(socket);
    });
  };
  if (isTls(server)) inspectHandshakes(server, (refusal) => count(`handshake_${refusal}`));
  server.on('connection', accept);
  // By then, everybody who listens to connections does.
  if (balancers && balancers.rules.length > 0)
    server.once('listening', () => awaitProxyHeaders(server, { balancers, accepted: accept, refused: () => count('proxy_header') }));
  server.on('secureConnection', (socket: TLSSocket) => {
    const bare = bareConnection(socket);
    const handshake = handshakes.get(bare);
    if (!handshake) return;
    clearTimeout(handshake.deadline);
    handshakes.delete(bare);
    peers.set(socket, handshake.peer);
    table.move(handshake.peer.entry, 'waiting');
  });
  // Node closes the connection itself. One that it leaves open ends at its deadline.
  server.on('tlsClientError', (error: NodeJS.ErrnoException, socket: TLSSocket) => {
    if (error.code !== 'ECONNRESET') count('handshake_failed');
    if (error.code !== 'ERR_SSL_HTTP_REQUEST') return;
    const beneath = bareConnection(socket);
    // Its sender may be gone.
    if (handshakes.has(beneath)) beneath.on('error', () => {}).write(bytesOf(needsTls));
  });
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const peer = peers.get(request.socket);
    if (!peer) return;
    const { entry, exchanges } = peer;
    exchanges.set(response, request);
    newcomers.delete(peer);
    asking.add(peer);
    if (draining) endAfterLast(peer);
    table.move(entry, hasBody(request) ? 'waiting' : 'working');
    if (hasBody(request)) request.once('end', () => table.move(entry, 'working'));
    response.once('close', () => {
      exchanges.delete(response);
      if (exchanges.size > 0) return;
      asking.delete(peer);
      table.move(entry, 'waiting');
      // An answer that had begun before could not tell its reader that it is the last.
      if (stopping && request.socket.writable) request.socket.destroySoon();
    });
  });

  const drain = () => {
    draining = true;
    for (const peer of asking) endAfterLast(peer);
  };
  if (told?.aborted) drain();
  told?.addEventListener('abort', drain, { once: true });

  return {
    async stop() {
      const staying = new Set([...asking, ...(draining ? newcomers : [])].map(({ entry }) => entry));
      stopping = true;
      drain();
      // An HTTP server would also close those who have connected and not asked yet.
      const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
      table.closeAll((entry) => !staying.has(entry));
      // Callers who are still connecting or sending, or are not reading the answer, get a moment longer.
      const moment = setTimeout(() => {
        for (const { entry } of newcomers) entry.close();
        for (const { entry, exchanges } of asking)
          for (const [response, request] of exchanges) if (!request.complete || response.writableEnded) entry.close();
      }, serverLimits.stopPatience.peers);
      const end = setTimeout(() => table.closeAll(() => true), serverLimits.stopPatience.requests);
      await closed;
      clearTimeout(moment);
      clearTimeout(end);
      // Ends the timer by which it bounds the time of requests.
      server.close();
    },
  };
}

/** Ends the connection after the answer to what was asked last. What was asked ahead of that is answered as well (RFC 9112, section 9.6). */
function endAfterLast(peer: Peer): void {
  const last = [...peer.exchanges.keys()].at(-1);
  if (!last || last === peer.last || last.headersSent) return;
  if (peer.last && !peer.last.headersSent) peer.last.removeHeader('Connection');
  last.setHeader('Connection', 'close');
  peer.last = last;
}

function boundsOf(connections: number) {
  const quarter = Math.max(1, Math.floor(connections / 4));
  return {
    all: connections,
    perAddress: quarter,
    arriving: Math.min(serverLimits.unfinishedHandshakes, Math.max(1, Math.floor(connections / 2))),
    arrivingPerAddress: Math.min(serverLimits.unfinishedHandshakesPerAddress, quarter),
  };
}

/** The answer to a request without TLS, on the connection beneath. */
const needsTls: BareAnswer = {
  status: 400,
  headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  body: 'This port speaks HTTPS only.\n',
};

function isTls(server: Server | TlsServer): server is TlsServer {
  return 'setSecureContext' in server;
}

import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { BlockList, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { limits } from '../../domain/shared/limits.ts';
import { isOneOf } from '../clientAddress.ts';
import { closedConnections, openConnections } from '../metrics.ts';
import { sourceAddress } from '../sourceAddress.ts';
import { ConnectionTable, type Entry } from './ConnectionTable.ts';
import { hasBody } from './receiveBody.ts';

export type SupervisionOptions = {
  /** The server's name in the metrics. */
  readonly name: string;
  /** How many connections it may hold: `connectionShare`. */
  readonly connections: number;
  /** Our own load balancers. Their connections carry everybody's requests, so no limit by address applies to them. */
  readonly trustedProxies: BlockList;
  readonly handshakeTimeoutMs?: number;
};

/** A connection, and the requests on it that have not been answered yet. */
type Peer = { readonly entry: Entry; readonly exchanges: Map<ServerResponse, IncomingMessage> };

/**
 * Bounds what strangers can hold open at a server: connections altogether and by address, handshakes also by time, and peers that neither
 * send nor read. Call it before the server listens. `stop` finishes the requests that are being answered (within 10 s) and waits for nobody
 * else.
 */
export function superviseConnections(server: Server | TlsServer, options: SupervisionOptions): { stop(): Promise<void> } {
  const { name, connections, trustedProxies, handshakeTimeoutMs = limits.handshakeTimeout } = options;
  const count = (reason: string) => closedConnections.inc({ server: name, reason });
  const table = new ConnectionTable(boundsOf(connections), () => count('displaced'));
  const peers = new WeakMap<Socket, Peer>();
  const asking = new Set<Peer>();
  const handshakes = new Map<string, { peer: Peer; deadline: NodeJS.Timeout }>();
  let stopping = false;

  server.timeout = limits.connectionInactivity;
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) {
      // It was closed before anybody looked at it.
      socket.destroy();
      return;
    }
    const address = isOneOf(remoteAddress, trustedProxies) ? null : sourceAddress(remoteAddress);
    const peer: Peer = { entry: table.add(address, () => socket.destroy()), exchanges: new Map() };
    peers.set(socket, peer);
    openConnections.inc({ server: name });
    const ends = endsOf(socket);
    if (isTls(server)) {
      const deadline = setTimeout(() => {
        count('handshake_timeout');
        socket.destroy();
      }, handshakeTimeoutMs);
      handshakes.set(ends, { peer, deadline });
    }
    socket.once('close', () => {
      openConnections.dec({ server: name });
      table.remove(peer.entry);
      asking.delete(peer);
      clearTimeout(handshakes.get(ends)?.deadline);
      handshakes.delete(ends);
    });
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    const handshake = handshakes.get(endsOf(socket));
    if (!handshake) return;
    clearTimeout(handshake.deadline);
    handshakes.delete(endsOf(socket));
    peers.set(socket, handshake.peer);
    table.move(handshake.peer.entry, 'waiting');
  });
  // Node closes the connection itself. One that it leaves open ends at its deadline.
  server.on('tlsClientError', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET') count('handshake_failed');
  });
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const peer = peers.get(request.socket);
    if (!peer) return;
    if (stopping) response.setHeader('Connection', 'close');
    const { entry, exchanges } = peer;
    exchanges.set(response, request);
    asking.add(peer);
    table.move(entry, hasBody(request) ? 'waiting' : 'working');
    if (hasBody(request)) request.once('end', () => table.move(entry, 'working'));
    response.once('close', () => {
      exchanges.delete(response);
      if (exchanges.size > 0) return;
      asking.delete(peer);
      table.move(entry, 'waiting');
    });
  });

  return {
    async stop() {
      stopping = true;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      const askingEntries = new Set([...asking].map(({ entry }) => entry));
      table.closeAll((entry) => !askingEntries.has(entry));
      for (const { exchanges } of asking)
        for (const response of exchanges.keys()) if (!response.headersSent) response.setHeader('Connection', 'close');
      // Requests that have arrived are answered. Callers who are still sending, or are not reading the answer, get a moment longer.
      const moment = setTimeout(() => {
        for (const { entry, exchanges } of asking)
          for (const [response, request] of exchanges) if (!request.complete || response.writableEnded) entry.close();
      }, limits.stopPatience.peers);
      const end = setTimeout(() => table.closeAll(() => true), limits.stopPatience.requests);
      await closed;
      clearTimeout(moment);
      clearTimeout(end);
    },
  };
}

function boundsOf(connections: number) {
  const quarter = Math.max(1, Math.floor(connections / 4));
  return {
    all: connections,
    perAddress: quarter,
    arriving: Math.min(limits.unfinishedHandshakes, Math.max(1, Math.floor(connections / 2))),
    arrivingPerAddress: Math.min(limits.unfinishedHandshakesPerAddress, quarter),
  };
}

function isTls(server: Server | TlsServer): boolean {
  return 'setSecureContext' in server;
}

/** A connection and the encrypted connection on top of it are two objects with the same ends. */
function endsOf({ remoteAddress, remotePort, localAddress }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress}`;
}

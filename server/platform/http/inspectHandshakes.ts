import { AsyncLocalStorage } from 'node:async_hooks';
import type { Server } from 'node:https';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { noteBareConnection } from '../callerAddress.ts';
import { HandshakeInspection, type HandshakeRefusal } from '../handshake/HandshakeInspection.ts';
import { InspectedConnection } from '../handshake/InspectedConnection.ts';
import { holdConnections } from './nodeInternals.ts';
import { serverLimits } from './serverLimits.ts';

type Handshake = { readonly socket: Socket; readonly inspection: HandshakeInspection; readonly connection: InspectedConnection };

/**
 * Closes connections with this server whose handshake may hold the event loop (`HandshakeInspection`), and calls `refused` for each of them.
 * Call it before anything else listens to the server’s connections.
 */
export function inspectHandshakes(server: Server, refused: (refusal: HandshakeRefusal) => void): void {
  // Nothing else leads from an encrypted connection to the one below it.
  const handshakes = new AsyncLocalStorage<Handshake>();
  holdConnections(server, (socket, begin) => {
    const inspection = new HandshakeInspection('client', serverLimits.handshakeBytes);
    const connection = new InspectedConnection(socket, inspection, refused);
    handshakes.run({ socket, inspection, connection }, () => begin(connection));
  });
  server.on('keylog', (line) => handshakes.getStore()?.inspection.learn(line));
  server.prependListener('tlsClientError', (_error, secured) => noteBelow(secured));
  server.prependListener('secureConnection', (secured) => noteBelow(secured)?.connection.complete());

  function noteBelow(secured: TLSSocket): Handshake | undefined {
    const handshake = handshakes.getStore();
    if (!handshake) return undefined;
    noteBareConnection(secured, handshake.socket);
    handshake.connection.secured = secured;
    return handshake;
  }
}

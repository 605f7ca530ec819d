import type { AddressInfo } from 'node:net';
import { createServer } from 'node:tls';
import { secureContext } from '../../rest-api/tls/secureContext.ts';
import { answerTasks } from './childProcess.ts';

export type HandshakeTask = {
  readonly tls: { readonly certPem: string; readonly keyPem: string };
  readonly authorityPems: readonly string[];
};

/** A server with the machine API’s own settings of TLS, which says whether it trusts the client, and ends the connection. */
answerTasks(async (message) => {
  const { tls, authorityPems } = message as HandshakeTask;
  const options = { ...secureContext(tls, authorityPems), requestCert: true, rejectUnauthorized: false };
  const server = createServer(options, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.end(socket.authorized ? 'trusted' : String(socket.authorizationError));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
});

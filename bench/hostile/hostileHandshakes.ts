import type { AddressInfo } from 'node:net';
import { connect, createServer } from 'node:tls';
import { type DearKey, hostileChain } from './hostileChain.ts';

/** A chain of so many authorities. */
export type MadeUp = { readonly authorities: number; readonly key: DearKey };

/** Presents a made-up chain to the server at this port of this machine, with the smallest greeting. Resolves with 0 when the connection has ended. */
export function presentChain(port: number, { authorities, key }: MadeUp): Promise<number> {
  const { certPem, keyPem } = hostileChain(authorities, key);
  return new Promise((resolve) => {
    const small = { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-ECDSA-AES128-GCM-SHA256', ecdhCurve: 'P-256' } as const;
    const socket = connect({
      host: '127.0.0.1',
      port,
      servername: 'localhost',
      rejectUnauthorized: false,
      cert: certPem,
      key: keyPem,
      ...small,
    });
    socket.on('secureConnect', () => socket.destroy());
    socket.on('error', () => {});
    socket.on('close', () => resolve(0));
  });
}

/** A server that presents a made-up chain. */
export async function openReceiver({ authorities, key }: MadeUp): Promise<{ readonly port: number; close(): void }> {
  const { certPem, keyPem } = hostileChain(authorities, key);
  const server = createServer({ cert: certPem, key: keyPem }, (socket) => socket.on('error', () => {}));
  server.on('tlsClientError', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port, close: () => void server.close() };
}

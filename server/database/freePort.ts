import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** A TCP port that is free on 127.0.0.1 at this moment: `preferred` if that is free, otherwise any. */
export async function findFreePort(preferred?: number): Promise<number> {
  if (preferred === undefined) return tryPort(0);
  return tryPort(preferred).catch(() => tryPort(0));
}

function tryPort(port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ host: '127.0.0.1', port, exclusive: true }, () => {
      const { port: found } = server.address() as AddressInfo;
      server.close(() => resolve(found));
    });
  });
}

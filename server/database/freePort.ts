import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

/** Below what systems give to connections that leave the machine (Linux: 32768 to 60999), so that none takes the port before it is used. */
const [lowest, beyond] = [15_000, 32_000];

/** A TCP port that is free on 127.0.0.1 at this moment: `preferred` if that is free, otherwise any. */
export async function findFreePort(preferred?: number): Promise<number> {
  const candidates = [...(preferred === undefined ? [] : [preferred]), ...Array.from({ length: 20 }, () => randomInt(lowest, beyond))];
  for (const candidate of candidates) {
    const free = await tryPort(candidate).catch(() => null);
    if (free !== null) return free;
  }
  return tryPort(0);
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

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { proxyV2For } from './proxyHeaders.ts';

/**
 * A balancer in front of a port of this machine. It begins each connection with a header of the PROXY protocol that names its caller, in one piece with
 * the caller's first bytes or byte by byte.
 */
export async function openBalancer(port: number, { together = true } = {}): Promise<{ url: string; close(): void }> {
  const open = new Set<Socket>();
  const keep = (socket: Socket) => {
    open.add(socket.on('error', () => {}));
    socket.once('close', () => open.delete(socket));
    return socket;
  };
  const forward = async (caller: Socket, first: Uint8Array): Promise<void> => {
    const server = keep(connect({ port, host: '127.0.0.1', noDelay: true }));
    await once(server, 'connect');
    const bytes = Buffer.concat([proxyV2For(caller.remoteAddress ?? ''), first]);
    if (together) server.write(bytes);
    else
      for (const byte of bytes) {
        server.write(Buffer.of(byte));
        await setImmediate();
      }
    caller.pipe(server).pipe(caller);
    server.once('close', () => caller.destroy());
    caller.once('close', () => server.destroy());
  };
  const balancer = createServer((caller) => {
    keep(caller).once('data', (first: Buffer) => {
      caller.pause();
      void forward(caller, first);
    });
  });
  await once(balancer.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `https://localhost:${(balancer.address() as AddressInfo).port}`,
    close() {
      balancer.close();
      for (const socket of open) socket.destroy();
    },
  };
}

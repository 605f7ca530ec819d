import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP path to PostgreSQL that a test can cut and mend. What the server says passes through `answers` on its way. */
export async function openDatabaseProxy({ answers }: { readonly answers?: (bytes: Buffer) => Buffer } = {}) {
  let target = { host: '127.0.0.1', port: 0 };
  let cut = false;
  let silent = false;
  const sockets = new Set<Socket>();
  const callers = new Map<Socket, Socket>();
  const server = createServer((inside) => {
    if (cut) return inside.destroy();
    if (silent) return void sockets.add(inside.on('error', () => {}).on('close', () => sockets.delete(inside)));
    const outside = connect(target);
    callers.set(inside, outside);
    inside.on('close', () => callers.delete(inside));
    for (const [one, other] of [
      [inside, outside],
      [outside, inside],
    ] as const) {
      sockets.add(one);
      one
        .on('error', () => {})
        .on('close', () => {
          sockets.delete(one);
          if (callers.has(inside)) other.destroy();
        });
      if (answers && one === outside) one.on('data', (bytes: Buffer) => other.write(answers(bytes)));
      else one.pipe(other);
    }
    return undefined;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const closeSockets = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    /** The same database, reached through this proxy. */
    through(url: string): string {
      const parsed = new URL(url);
      target = { host: parsed.hostname, port: Number(parsed.port || 5432) };
      parsed.hostname = '127.0.0.1';
      parsed.port = String(port);
      return parsed.href;
    },
    cut() {
      cut = true;
      closeSockets();
    },
    /** Refuses new connections and leaves existing ones open. */
    refuseNew() {
      cut = true;
    },
    /** Anyone who is connected hears nothing any more, not even that the server has gone; new connections reach one that works. */
    vanish() {
      for (const [inside, outside] of callers) {
        callers.delete(inside);
        inside.unpipe(outside).pause();
        outside.destroy();
      }
    },
    /** Nothing gets through any more, in either direction, and new connections get no further than here: the machine's power is off. */
    silence() {
      silent = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
    /** The ports at which the server sees those who are connected. */
    ports: () => [...callers.values()].flatMap(({ localPort = [] }) => localPort),
    mend() {
      cut = false;
      silent = false;
    },
    /** Resolves when nobody holds a connection any more. */
    async untilUnused(): Promise<void> {
      while (sockets.size > 0) await new Promise(setImmediate);
    },
    async close(): Promise<void> {
      closeSockets();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

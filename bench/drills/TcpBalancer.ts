import { connect, createServer as createTcpServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { setTimeout as delay } from 'node:timers/promises';

/** Where connections go, and how the balancer finds out whether they may. */
export type Backend = { readonly name: string; readonly port: number; check(): Promise<boolean> };

type Options = {
  readonly backends: readonly Backend[];
  /** Ends TLS here, as a proxy in front of the portal does. */
  readonly tls?: { readonly certPem: string; readonly keyPem: string };
  /** Tells the backend the caller's address with a header of the PROXY protocol, version 2. */
  readonly proxyHeader?: boolean;
  /** Cuts the connections of a backend that is no longer good, as in front of a database whose primary has changed. */
  readonly cutsWhenDown?: boolean;
  readonly checkEvery?: number;
};

type Candidate = { readonly backend: Backend; readonly sockets: Set<Socket>; up: boolean };

/**
 * A balancer as small as can be: asks each backend how it is, and leads new connections to the good ones in turn. A connection that stands
 * stays where it is while its backend drains. Whatever one side does to its connection, the other side sees: an end as an end, a reset as a reset.
 */
export class TcpBalancer {
  readonly #server: Server;
  readonly #candidates: readonly Candidate[];
  readonly #options: Options;
  #turn = 0;
  #stopped = false;
  /** Connections that found no good backend. */
  turnedAway = 0;

  private constructor(options: Options) {
    this.#options = options;
    this.#candidates = options.backends.map((backend) => ({ backend, sockets: new Set(), up: false }));
    const { tls } = options;
    const accept = (socket: Socket) => this.#accept(socket);
    this.#server = tls
      ? createTlsServer({ cert: tls.certPem, key: tls.keyPem, allowHalfOpen: true }, accept)
      : createTcpServer({ allowHalfOpen: true }, accept);
    this.#server.on('tlsClientError', () => undefined);
  }

  static async start(port: number, options: Options): Promise<TcpBalancer> {
    const balancer = new TcpBalancer(options);
    await new Promise<void>((resolve, reject) => {
      balancer.#server.once('error', reject);
      balancer.#server.listen(port, '127.0.0.1', resolve);
    });
    for (const candidate of balancer.#candidates) void balancer.#watch(candidate);
    return balancer;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** The names of the backends that get new connections. */
  get up(): readonly string[] {
    return this.#candidates.filter(({ up }) => up).map(({ backend }) => backend.name);
  }

  stop(): void {
    this.#stopped = true;
    this.#server.close();
    for (const { sockets } of this.#candidates) for (const socket of sockets) socket.destroy();
  }

  async #watch(candidate: Candidate): Promise<void> {
    while (!this.#stopped) {
      candidate.up = await candidate.backend.check().catch(() => false);
      if (!candidate.up && this.#options.cutsWhenDown === true) for (const socket of candidate.sockets) socket.resetAndDestroy();
      await delay(this.#options.checkEvery ?? 200);
    }
  }

  #accept(socket: Socket): void {
    socket.on('error', () => undefined);
    const ready = this.#candidates.filter(({ up }) => up);
    // If none is ready, they themselves say when to come back. A database that is not the primary gets nobody.
    const good = ready.length > 0 || this.#options.cutsWhenDown === true ? ready : this.#candidates;
    this.#lead(socket, [...good.slice(this.#turn % good.length), ...good.slice(0, this.#turn % good.length)]);
    this.#turn += 1;
  }

  /** Leads it to the first that accepts it. Nothing that the caller has sent is lost, because nothing is read before. */
  #lead(socket: Socket, [first, ...others]: readonly Candidate[]): void {
    if (!first) {
      this.turnedAway += 1;
      socket.destroy();
      return;
    }
    const inside = connect({ port: first.backend.port, host: '127.0.0.1', allowHalfOpen: true });
    inside.once('error', () => {
      if (inside.connecting || inside.bytesRead + inside.bytesWritten === 0) this.#lead(socket, others);
    });
    inside.once('connect', () => {
      inside.removeAllListeners('error');
      if (this.#options.proxyHeader === true) inside.write(proxyHeader(socket));
      first.sockets.add(inside);
      inside.once('close', () => first.sockets.delete(inside));
      join(socket, inside);
      join(inside, socket);
    });
  }
}

/** Passes bytes, the end and a reset of one side on to the other. */
function join(from: Socket, to: Socket): void {
  from.pipe(to);
  from.on('error', () => to.destroyed || ('resetAndDestroy' in to && !isTls(to) ? to.resetAndDestroy() : to.destroy()));
  from.once('close', () => {
    if (!from.readableEnded) to.destroy();
  });
}

function isTls(socket: Socket): boolean {
  return 'encrypted' in socket;
}

/** The PROXY protocol's signature, version 2 with the command PROXY, TCP over IPv4, and both addresses. */
function proxyHeader(socket: Socket): Buffer {
  const header = Buffer.alloc(28);
  header.write('0d0a0d0a000d0a515549540a', 'hex');
  header.set([0x21, 0x11, 0, 12], 12);
  header.set((socket.remoteAddress ?? '127.0.0.1').split('.').map(Number), 16);
  header.set((socket.localAddress ?? '127.0.0.1').split('.').map(Number), 20);
  header.writeUInt16BE(socket.remotePort ?? 0, 24);
  header.writeUInt16BE(socket.localPort ?? 0, 26);
  return header;
}

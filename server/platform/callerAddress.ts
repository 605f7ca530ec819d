import type { Socket } from 'node:net';

/** For whom balancers have connected, as far as they have said so. */
const announced = new WeakMap<Socket, string>();
/** The connections below encrypted ones, which know no addresses of their own. */
const below = new WeakMap<Socket, Socket>();

/** The address at the other end of a connection, beyond our own balancers (PROXY protocol): what limits, logs and audit trail see. */
export function callerAddress(socket: Socket): string | undefined {
  const bare = bareConnection(socket);
  return announced.get(bare) ?? bare.remoteAddress;
}

/** Notes for whom a balancer has connected. */
export function noteCaller(socket: Socket, address: string): void {
  announced.set(socket, address);
}

/** The connection below an encrypted one; any other is itself. */
export function bareConnection(socket: Socket): Socket {
  return below.get(socket) ?? socket;
}

/** Notes which connection lies below an encrypted one. */
export function noteBareConnection(secured: Socket, bare: Socket): void {
  below.set(secured, bare);
}

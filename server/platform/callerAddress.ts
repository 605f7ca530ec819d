import type { Socket } from 'node:net';

/** For whom balancers have connected, as far as they have said so. */
const announced = new WeakMap<Socket, string>();

/** The address of whoever is at the other end of a connection, beyond our own balancers (PROXY protocol): what limits, logs and audit trail see. */
export function callerAddress(socket: Socket): string | undefined {
  return announced.get(socket) ?? socket.remoteAddress;
}

/** Notes for whom a balancer has connected. */
export function noteCaller(socket: Socket, address: string): void {
  announced.set(socket, address);
}

/** The encrypted connection on top of another has the same caller. */
export function passOnCaller(from: Socket, to: Socket): void {
  const address = announced.get(from);
  if (address !== undefined) announced.set(to, address);
}

import type { BlockList, Server, Socket } from 'node:net';
import { isOneOf } from '../../clientAddress.ts';
import { noteCaller } from '../../callerAddress.ts';
import { holdConnections } from '../nodeInternals.ts';
import { readProxyHeader } from './readProxyHeader.ts';

type Waiting = {
  /** The balancers. Each of their connections must begin with a header; nobody else’s may. */
  readonly balancers: BlockList;
  /** Called when a balancer has connected, and has yet to say for whom. */
  readonly accepted: (socket: Socket) => void;
  /** Called when a balancer’s connection is closed because it begins with something else, or ends before the header does. */
  readonly refused: () => void;
};

/**
 * Holds a server’s connections from balancers back from the listeners that it has now, its own included, until the header of the PROXY protocol
 * has been read; `callerAddress` then knows for whom each is. The bytes after the header are left for these listeners. How long a header may
 * take is up to the caller, who can close the connection. Everybody else’s connections begin at once.
 */
export function awaitProxyHeaders(server: Server, { balancers, accepted, refused }: Waiting): void {
  holdConnections(server, (socket, begin) => {
    if (!isOneOf(socket.remoteAddress ?? '', balancers)) {
      begin(socket);
      return;
    }
    accepted(socket);
    const refuse = () => {
      refused();
      socket.destroy();
    };
    readFrom(socket, {
      found(source) {
        if (source !== null) noteCaller(socket, source);
        begin(socket);
      },
      refuse,
    });
  });
}

/** Reads the header and nothing after it. Without a single byte, the connection only ends: many a balancer checks whether a port is open. */
function readFrom(socket: Socket, { found, refuse }: { found: (source: string | null) => void; refuse: () => void }): void {
  let received: Buffer = Buffer.alloc(0);
  const take = (chunk: Buffer) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const header = readProxyHeader(received);
    if (header === 'incomplete') return;
    leave();
    if (header === 'invalid') {
      refuse();
      return;
    }
    socket.pause();
    if (received.length > header.length) socket.unshift(received.subarray(header.length));
    found(header.source);
  };
  const end = () => {
    leave();
    if (received.length > 0) refuse();
    else socket.destroy();
  };
  // `close` follows, which is all that anybody needs to know.
  const fail = () => {};
  const leave = () => socket.off('data', take).off('end', end).off('error', fail);
  socket.on('error', fail).on('end', end).on('data', take);
}

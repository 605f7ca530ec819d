import { connect, type Socket } from 'node:net';
import type { Cutoff } from './Cutoff.ts';
import { OutboundError, outboundError } from './OutboundError.ts';
import { canonicalAddress, kindOfAddress } from './publicAddress.ts';

type Dialled = { readonly socket: Socket; readonly address: string };

type Dial = {
  /** All of them have been checked. */
  readonly addresses: readonly string[];
  readonly port: number;
  /** Asked about the address at the other end of the socket, before anything is sent to it. */
  readonly allowAddress: (address: string) => boolean;
  /** Told of each address before it is tried. */
  readonly trying: (address: string) => void;
  readonly cutoff: Cutoff;
};

/** The next address is tried after this many milliseconds (RFC 8305, section 5), or as soon as one has failed. */
const headStart = 250;

/**
 * Connects to the first of these addresses that answers, so that one that is dead does not make every attempt fail. Rejects with the last
 * failure once all have failed, or when it is cut off.
 */
export function dial({ addresses, port, allowAddress, trying, cutoff }: Dial): Promise<Dialled> {
  return new Promise((resolve, reject) => {
    const waiting = [...addresses];
    const sockets = new Set<Socket>();
    let next: NodeJS.Timeout | undefined;
    let ended = false;
    // Replaced below, unless it is cut off already, in which case there is nothing to take back.
    let uncut = (): void => {};

    const end = (result: Dialled | OutboundError): void => {
      if (ended) return;
      ended = true;
      clearTimeout(next);
      uncut();
      const winner = result instanceof OutboundError ? undefined : result.socket;
      for (const socket of sockets) if (socket !== winner) socket.destroy();
      if (result instanceof OutboundError) reject(result);
      else resolve(result);
    };
    const tryNext = (): void => {
      clearTimeout(next);
      const address = waiting.shift();
      if (address === undefined || ended) return;
      trying(address);
      const socket = connect({ host: address, port, autoSelectFamily: false, noDelay: true });
      sockets.add(socket);
      socket.on('error', (error) => {
        sockets.delete(socket);
        if (waiting.length > 0) tryNext();
        else if (sockets.size === 0) end(outboundError(error, 'host_unreachable'));
      });
      socket.once('connect', () => {
        const remote = socket.remoteAddress ?? '';
        const same = canonicalAddress(remote) === canonicalAddress(address);
        end(same && allowAddress(remote) ? { socket, address } : new OutboundError('no_public_address', [kindOfAddress(remote)]));
      });
      if (waiting.length > 0) next = setTimeout(tryNext, headStart);
    };
    uncut = cutoff.onCut(end);
    tryNext();
  });
}

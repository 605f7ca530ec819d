import type { OutboundAnswer, OutboundErrorKind, PageTransport, WebhookTransport } from '../../domain/webhook/WebhookTransport.ts';
import { Cutoff } from './Cutoff.ts';
import { clientOn, type Connection, exchange, type Received, type SentRequest } from './exchange.ts';
import { close, idleMs, KeptConnections } from './KeptConnections.ts';
import { type DevelopmentHosts, microseconds, openConnection, type Progress, type Way } from './openConnection.ts';
import { OutboundError } from './OutboundError.ts';
import { isPublicAddress } from './publicAddress.ts';
import { createResolver, type Resolve } from './resolveAll.ts';
import { type Target, targetOf } from './target.ts';

export type OutboundOptions = {
  readonly developmentHosts?: DevelopmentHosts;
  /** Told why a name was refused (“no address”, “no answer” or kinds of addresses), which is for those who run the service and nobody else. */
  readonly onNameRefused?: (why: { readonly reasons: readonly string[]; readonly endpointId: string | undefined }) => void;
  /** For tests: name servers, the addresses that count as public, and the port. */
  readonly resolve?: Resolve;
  readonly allowAddress?: (address: string) => boolean;
  readonly port?: number;
};

export type Outbound = WebhookTransport &
  PageTransport & {
    /** Ends every attempt under way as `interrupted` and closes all connections. It may be used again afterwards. */
    destroy(): void;
  };

/**
 * The only way from this service to a server whose address a person chose (docs/specification.md, “One guarded way out”; decision 45). No proxy,
 * no cookies, no redirects, HTTP/1.1, and nothing is ever unpacked.
 */
export function createOutbound({
  developmentHosts,
  onNameRefused,
  resolve,
  allowAddress = isPublicAddress,
  port = 443,
}: OutboundOptions = {}): Outbound {
  const resolver = createResolver();
  const way: Way = { resolve: resolve ?? resolver.resolve, allowAddress, port, developmentHosts };
  const kept = new KeptConnections();
  const underWay = new Set<Cutoff>();
  const sendGuarded = async (request: SentRequest): Promise<OutboundAnswer> => {
    const target = targetOf(request.url);
    if (!target) return refused('url_not_allowed');
    const cutoff = new Cutoff();
    underWay.add(cutoff);
    try {
      const answer = await send(request, { target, way, kept, cutoff });
      if (answer.error !== 'no_public_address') return answer;
      onNameRefused?.({ reasons: answer.about ?? [], endpointId: request.endpointId });
      return { ...answer, addresses: [], address: null, about: [] };
    } finally {
      underWay.delete(cutoff);
    }
  };
  return {
    postGuarded: (request) => sendGuarded({ ...request, method: 'POST' }),
    getGuarded: (request) => sendGuarded({ ...request, method: 'GET', body: null }),
    destroy() {
      for (const cutoff of underWay) cutoff.cut(new OutboundError('interrupted'));
      resolver.cancel();
      kept.closeAll();
    },
  };
}

type Attempt = { readonly target: Target; readonly way: Way; readonly kept: KeptConnections; readonly cutoff: Cutoff };

async function send(request: SentRequest, attempt: Attempt): Promise<OutboundAnswer> {
  const started = performance.now();
  const progress: Progress = { phase: 'dns', addresses: [], address: null, dnsUs: null, connectUs: null, tlsUs: null };
  const received: Received = { firstByteUs: null };
  const end = (kind: OutboundErrorKind) => () => attempt.cutoff.cut(new OutboundError(kind));
  const total = setTimeout(end('timeout'), request.limits.totalMs);
  const interrupt = end('interrupted');
  request.signal?.addEventListener('abort', interrupt, { once: true });
  if (request.signal?.aborted) interrupt();
  let error: OutboundError | undefined;
  try {
    await sendAndReceive(request, attempt, progress, received);
  } catch (thrown) {
    // Everything that a peer can provoke is an answer, even what nobody has thought of.
    error = thrown instanceof OutboundError ? thrown : new OutboundError('protocol_error');
  } finally {
    clearTimeout(total);
    request.signal?.removeEventListener('abort', interrupt);
  }
  const { addresses, address, dnsUs, connectUs, tlsUs } = progress;
  const { firstByteUs, ...answer } = received;
  return {
    addresses,
    address,
    phases: { dnsUs, connectUs, tlsUs, firstByteUs, totalUs: microseconds(started) },
    ...answer,
    ...(error && { error: error.kind, ...(error.about.length > 0 && { about: error.about }) }),
  };
}

async function sendAndReceive(request: SentRequest, attempt: Attempt, progress: Progress, received: Received): Promise<void> {
  const { target, kept, cutoff } = attempt;
  const { endpointId, mayStart } = request;
  const key = endpointId === undefined ? undefined : `${endpointId} ${target.host}`;
  const over = (connection: Connection) => exchange(connection, { path: target.path, request, last: key === undefined, received, cutoff });
  if (mayStart && !mayStart()) throw new OutboundError('interrupted');
  const idle = key === undefined ? undefined : kept.take(key);
  if (idle && key !== undefined) {
    progress.address = idle.address;
    try {
      await over(idle);
      return kept.keep(key, idle);
    } catch (error) {
      // The other side may close an idle connection at the very moment at which it is used again. That is nobody's fault.
      if (!(error instanceof OutboundError && error.kind === 'connection_reset') || received.firstByteUs !== null) throw error;
    }
  }
  const connection = await open(request, attempt, progress);
  // It has been checked like any other, and the next attempt need not wait for another one.
  const keep = () => (key === undefined ? close(connection) : kept.keep(key, connection));
  if (mayStart && !mayStart()) {
    // Nothing that has been sent on it ends its time.
    connection.socket.setTimeout(idleMs, () => close(connection));
    keep();
    throw new OutboundError('interrupted');
  }
  try {
    await over(connection);
  } catch (error) {
    close(connection);
    throw error;
  }
  keep();
}

async function open({ limits, onStep }: SentRequest, attempt: Attempt, progress: Progress): Promise<Connection> {
  const { way, kept, cutoff, target } = attempt;
  const late = { dns: 'dns_timeout', connect: 'connect_timeout', tls: 'tls_timeout' } as const;
  const timer = setTimeout(() => cutoff.cut(new OutboundError(late[progress.phase])), limits.connectMs);
  try {
    const socket = await openConnection({ host: target.host, way, progress, cutoff, onStep });
    const client = clientOn(socket, target.host, idleMs);
    const connection = { client, socket, address: progress.address ?? '', since: performance.now() };
    socket.once('close', () => kept.forget(connection));
    return connection;
  } finally {
    clearTimeout(timer);
  }
}

/** The answer to what is never sent. */
function refused(error: OutboundErrorKind): OutboundAnswer {
  const phases = { dnsUs: null, connectUs: null, tlsUs: null, firstByteUs: null, totalUs: 0 };
  return { addresses: [], address: null, phases, error };
}

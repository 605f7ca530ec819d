import type { IncomingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';

/** What came of one request. `error` is the code with which its connection broke. */
export type Outcome =
  | { readonly status: number; readonly headers: IncomingHttpHeaders; readonly body: unknown; readonly error?: never }
  | { readonly error: string; readonly status?: never };

type Identity = { readonly certPem?: string; readonly keyPem?: string };
type Outgoing = {
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
  /** On a connection of its own, which is not used again. */
  readonly alone?: boolean;
};

const patience = 40_000;

/** A caller with kept-alive TLS connections, which it uses in turn. It repeats nothing, so whatever goes wrong is seen. */
export class HttpConnections {
  readonly #origin: string;
  readonly #agent: Agent;
  readonly #once: Agent;
  readonly #localAddress: string;

  constructor(origin: string, options: { caPem: string; localAddress: string; connections: number } & Identity) {
    this.#origin = origin;
    this.#localAddress = options.localAddress;
    const tls = {
      ca: options.caPem,
      ...(options.certPem !== undefined && { cert: options.certPem }),
      ...(options.keyPem !== undefined && { key: options.keyPem }),
    };
    this.#once = new Agent({ keepAlive: false, ...tls });
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets: options.connections,
      // Each connection is used often, so that each one hears it when its server drains.
      scheduling: 'fifo',
      ...tls,
    });
  }

  send(path: string, { method = 'GET', headers = {}, body, alone = false }: Outgoing = {}): Promise<Outcome> {
    const text = body && JSON.stringify(body);
    const sent = {
      ...headers,
      ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
    };
    return new Promise((resolve) => {
      const agent = alone ? this.#once : this.#agent;
      const options = { agent, method, headers: sent, timeout: patience, localAddress: this.#localAddress };
      const failed = (error: NodeJS.ErrnoException) => resolve({ error: error.code ?? error.message });
      const outgoing = request(`${this.#origin}${path}`, options, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', failed);
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: parsed(chunks) }));
      });
      outgoing.on('timeout', () => outgoing.destroy(Object.assign(new Error(), { code: 'no answer' })));
      outgoing.on('error', failed);
      outgoing.end(text);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function parsed(chunks: readonly Buffer[]): unknown {
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return null;
  }
}

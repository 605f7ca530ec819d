import type { TLSSocket } from 'node:tls';
import { Client, type Dispatcher } from 'undici';
import type { OutboundLimits, OutboundRequest } from '../../domain/webhook/WebhookTransport.ts';
import type { Cutoff } from './Cutoff.ts';
import { microseconds } from './openConnection.ts';
import { OutboundError, outboundError } from './OutboundError.ts';
import { skipInterim } from './skipInterim.ts';

/** One connection that has been checked, with the HTTP/1.1 client on it. It never connects again. */
export type Connection = { readonly client: Client; readonly socket: TLSSocket; readonly address: string; readonly since: number };

/** Chunk sizes and trailers come on top of heads and body; they may weigh this much. */
const framingBytes = 16 * 1024;

/** A request with its method. Only a POST has a body. */
export type SentRequest = Omit<OutboundRequest, 'body'> &
  ({ readonly method: 'POST'; readonly body: Buffer } | { readonly method: 'GET'; readonly body: null });

/** How far an answer has come. */
export type Received = {
  status?: number;
  headers?: Readonly<Record<string, string | readonly string[]>>;
  body?: Buffer;
  firstByteUs: number | null;
};

/** Makes an HTTP/1.1 client of a connection. `idleMs` is how long it may be idle at most; the server may ask for less. */
export function clientOn(socket: TLSSocket, host: string, idleMs: number): Client {
  let given = false;
  return new Client(`https://${host}`, {
    pipelining: 1,
    allowH2: false,
    maxHeaderSize: 16 * 1024,
    // One timer of the attempt bounds them all.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    keepAliveTimeoutThreshold: 1_000,
    connect(_options, callback) {
      const gone = given || socket.destroyed;
      given = true;
      // Not at once, because undici overlooks a connection that it gets while it still asks for one.
      queueMicrotask(() => (gone ? callback(new OutboundError('connection_reset'), null) : callback(null, socket)));
    },
  });
}

type Exchange = {
  readonly path: string;
  readonly request: SentRequest;
  /** Whether the connection is closed after the answer. */
  readonly last: boolean;
  readonly received: Received;
  readonly cutoff: Cutoff;
};

/**
 * Sends the request and reads the answer into `received`, all of it counted as it comes from the wire. Interim answers are skipped. Rejects
 * with `OutboundError`; the connection is then closed.
 */
export function exchange({ client, socket }: Connection, { path, request, last, received, cutoff }: Exchange): Promise<void> {
  const { limits, method, headers, body } = request;
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const meter = new Meter(socket, limits, (error) => fail(error));
    // Replaced below, unless it is cut off already, in which case there is nothing to take back.
    let uncut = (): void => {};
    // Before the meter listens, so that it runs after it.
    const unskip = skipInterim(socket, {
      skipped(bytes) {
        received.firstByteUs ??= microseconds(started);
        meter.interim(bytes);
      },
      upgraded: () => fail(new OutboundError('unasked_upgrade')),
    });
    meter.start();
    const settle = (): void => {
      unskip();
      meter.stop();
      uncut();
    };
    const fail = (error: Error): void => {
      settle();
      reject(error);
      socket.destroy();
    };
    const chunks: Buffer[] = [];
    const handler: Dispatcher.DispatchHandler = {
      // Its presence is what makes undici take this for a handler.
      onRequestStart() {},
      onResponseStarted() {
        received.firstByteUs ??= microseconds(started);
      },
      onResponseStart(controller, status, responseHeaders, statusMessage) {
        if (!meter.head(controller.rawHeaders, statusMessage)) return;
        received.status = status;
        received.headers = definedOnly(responseHeaders);
      },
      onResponseData(_controller, chunk) {
        if (meter.body(chunk.length)) chunks.push(chunk);
      },
      onResponseEnd() {
        settle();
        received.body = Buffer.concat(chunks);
        resolve();
      },
      onResponseError(_controller, error) {
        fail(outboundError(error, 'protocol_error'));
      },
    };
    uncut = cutoff.onCut(fail);
    client.dispatch({ path, method, headers, body, reset: last }, handler);
  });
}

function definedOnly(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string | string[]> {
  return Object.fromEntries(Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
}

/** Counts what an answer weighs, and ends it when that is too much. */
class Meter {
  /** Whether the final head is still to come. */
  #heads = true;
  readonly #socket: TLSSocket;
  readonly #limits: OutboundLimits;
  readonly #exceeded: (error: OutboundError) => void;
  readonly #start: number;
  #headBytes = 0;
  #bodyBytes = 0;
  #seen = 0;

  constructor(socket: TLSSocket, limits: OutboundLimits, exceeded: (error: OutboundError) => void) {
    this.#socket = socket;
    this.#limits = limits;
    this.#exceeded = exceeded;
    this.#start = socket.bytesRead;
  }

  start(): void {
    this.#socket.prependListener('readable', this.#onReadable);
  }

  stop(): void {
    this.#socket.off('readable', this.#onReadable);
  }

  /** Counts an interim head, or what has come of one. */
  interim(bytes: number): void {
    this.#headBytes += bytes;
    this.#within(this.#headBytes <= this.#limits.responseHeaderBytes, 'response_headers_too_large');
  }

  /** Whether the final head, together with those before it, is within the limit. */
  head(rawHeaders: unknown, statusMessage = ''): boolean {
    this.#heads = false;
    const fields = Array.isArray(rawHeaders) ? (rawHeaders as readonly (Buffer | string)[]) : [];
    // “HTTP/1.1 200 ”, two line ends, and four characters in each line of a field.
    this.#headBytes += 17 + statusMessage.length + fields.length * 2 + fields.reduce((sum, field) => sum + field.length, 0);
    return this.#within(this.#headBytes <= this.#limits.responseHeaderBytes, 'response_headers_too_large');
  }

  /** Whether the body is still within the limit. */
  body(bytes: number): boolean {
    this.#bodyBytes += bytes;
    return this.#within(this.#bodyBytes <= this.#limits.responseBodyBytes, 'response_too_large');
  }

  /** For what the parser swallows without a word: status lines, chunk extensions and trailers without end. */
  readonly #onReadable = (): void => {
    const { responseHeaderBytes, responseBodyBytes } = this.#limits;
    // What came before this chunk has been parsed, so if there is no head yet, all of that was heads.
    if (this.#heads) this.#within(this.#seen <= responseHeaderBytes, 'response_headers_too_large');
    this.#seen = this.#socket.bytesRead - this.#start;
    if (!this.#heads) this.#within(this.#seen <= responseHeaderBytes + responseBodyBytes + framingBytes, 'response_too_large');
  };

  #within(within: boolean, kind: 'response_headers_too_large' | 'response_too_large'): boolean {
    if (!within) this.#exceeded(new OutboundError(kind));
    return within;
  }
}

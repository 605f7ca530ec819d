import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Server as TlsServer } from 'node:https';
import type { Socket } from 'node:net';
import { DomainError } from '../../domain/shared/DomainError.ts';
import { serverLimits } from './serverLimits.ts';
import { type BareAnswer, bytesOf } from './bareAnswer.ts';
import { breakBody, refusalOf } from './brokenRequest.ts';
import { unknownMethod } from './headRefusal.ts';
import { allowHalfOpen, onLastAnswer, stopParsing } from './nodeInternals.ts';
import { askWhenRead } from './receiveBody.ts';

type Exchange = { readonly request: IncomingMessage; readonly response: ServerResponse };

type Handling = {
  /** Begins to answer a request. The next request begins when this response ends. */
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** The answer to bytes that are not a request. It is the last one on its connection. */
  readonly refuse: (refusal: DomainError, socket: Socket) => BareAnswer | Promise<BareAnswer>;
};

/**
 * Handles the requests of a connection one after the other, in the order in which they came (RFC 9112, section 9.3.2). Anything that cannot
 * be read as a request, or does not arrive in time, waits until everything before it has been answered. Then it is refused, and the
 * connection ends. Call this before the server listens.
 */
export function takeRequestsInTurn(server: Server | TlsServer, handling: Handling): void {
  const lines = new WeakMap<Socket, RequestLine>();
  const open = (socket: Socket) => lines.set(socket, new RequestLine(socket, handling));
  // A caller who closes their side after the request may still be waiting for the answer, or may have hung up, which looks the same. So
  // they get a moment for it.
  allowHalfOpen(server);
  if ('setSecureContext' in server) server.on('secureConnection', open);
  else server.on('connection', open);
  server.on('request', (request: IncomingMessage, response: ServerResponse) => lines.get(request.socket)?.take({ request, response }));
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    askWhenRead(request, response);
    server.emit('request', request, response);
  });
  // An unknown Expect may be ignored (RFC 9110, section 10.1.1). Node would answer with a bare 417.
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => server.emit('request', request, response));
  server.on('clientError', (error: Error, socket: Socket) => {
    const refusal = refusalOf(error);
    // The time that a request may take begins with its connection. Where not a byte has come, it has not begun: the connection is idle.
    if (refusal?.code === 'request_timeout' && socket.bytesRead === 0) return;
    const line = lines.get(socket);
    if (refusal && line) line.breakOff(refusal);
    else socket.destroy();
  });
  server.on('connect', ({ socket }: IncomingMessage) => {
    lines.get(socket)?.breakOff(unknownMethod());
  });
}

/** The requests of one connection. */
class RequestLine {
  readonly #socket: Socket;
  readonly #handling: Handling;
  readonly #waiting: Exchange[] = [];
  #current: Exchange | undefined;
  #latest: IncomingMessage | undefined;
  /** How the connection ends: with a refusal, or with nothing more because the request concerned has an answer of its own. */
  #end: DomainError | 'answered' | undefined;

  constructor(socket: Socket, handling: Handling) {
    this.#socket = socket;
    this.#handling = handling;
    onLastAnswer(socket, () => {
      this.#end = 'answered';
      process.nextTick(() => this.#stopParsing());
      this.#closeAfter('');
    });
    socket.once('end', () => this.#closeWithin(serverLimits.answerAfterEnd));
    socket.once('close', () => this.#waiting.splice(0));
  }

  take(exchange: Exchange): void {
    if (this.#end) return;
    if (this.#waiting.length >= serverLimits.pipelinedRequests) {
      const detail = `More than ${serverLimits.pipelinedRequests} requests were sent without waiting for a response.`;
      this.#finishWith(new DomainError('invalid_request', { detail }));
      return;
    }
    const { request, response } = exchange;
    // Node loses the bytes after such a request. Its answer is the last on the connection, so that nobody waits for what was lost.
    if (asksForOtherProtocol(request)) response.setHeader('Connection', 'close');
    this.#latest = request;
    this.#waiting.push(exchange);
    this.#next();
  }

  breakOff(refusal: DomainError): void {
    if (this.#end) return;
    if (!this.#latest || this.#latest.complete) {
      this.#finishWith(refusal);
      return;
    }
    // It is this request's own body that breaks off. Its reader answers for it.
    const { response } = this.#waiting.at(-1) ?? this.#current ?? {};
    if (response && !response.headersSent) response.setHeader('Connection', 'close');
    this.#finishWith('answered');
    breakBody(this.#latest, refusal);
  }

  #finishWith(end: DomainError | 'answered'): void {
    this.#end = end;
    // The parser may still be in the middle of the bytes that have arrived.
    process.nextTick(() => this.#stopParsing());
    this.#next();
  }

  #next(): void {
    if (this.#current) return;
    const next = this.#waiting.shift();
    if (next && this.#socket.writable) {
      this.#current = next;
      next.response.once('close', () => {
        this.#current = undefined;
        this.#next();
      });
      this.#handling.handle(next.request, next.response);
    } else if (this.#end) void this.#finish(this.#end);
  }

  async #finish(end: DomainError | 'answered'): Promise<void> {
    const bytes = end === 'answered' ? '' : bytesOf(await this.#handling.refuse(end, this.#socket));
    if (this.#socket.writable) this.#closeAfter(bytes);
  }

  /**
   * Ends our side, then keeps reading until the caller ends theirs. A connection that is closed with unread bytes is reset, and the caller
   * may lose the answer with it (RFC 9112, section 9.6).
   */
  #closeAfter(bytes: string): void {
    this.#closeWithin(serverLimits.lastAnswerRead);
    this.#socket.on('error', () => {});
    this.#socket.end(bytes);
    this.#socket.resume();
  }

  #closeWithin(milliseconds: number): void {
    const cut = setTimeout(() => this.#socket.destroy(), milliseconds);
    this.#socket.once('close', () => clearTimeout(cut));
  }

  /** Nothing that arrives from now on is a request. It is left unread until everything has been answered. */
  #stopParsing(): void {
    stopParsing(this.#socket);
    if (!this.#socket.writableEnded) this.#socket.pause();
  }
}

/** Whether a request asks for another protocol (RFC 9110, section 7.8). We speak no other, so it is answered like any request. */
function asksForOtherProtocol({ headers }: IncomingMessage): boolean {
  return headers.upgrade !== undefined && /\bupgrade\b/i.test(headers.connection ?? '');
}

import type { ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import type { Duplex } from 'node:stream';
import { errorCatalogue } from '../server/domain/shared/errorCatalogue.ts';
import { newId } from '../server/domain/shared/ids.ts';
import type { Logger } from '../server/platform/logger.ts';
import { httpRequests } from '../server/platform/metrics.ts';
import { commonHeaders } from './commonHeaders.ts';
import { Problem, problemDetails, problemHeaders } from './problemDetails.ts';

type Options = { portalUrl: string; logger: Logger };

/**
 * Requests that never become one (bytes the parser refuses, headers over 16 KiB, time-outs, CONNECT) are answered with a problem too.
 * What fails below HTTP, in the handshake, can only be closed.
 */
export function answerBrokenRequests(server: Server, options: Options): void {
  const answering = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => answering.set(request.socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const response = answering.get(socket);
    // Answered already, wholly or in part: other bytes on the same connection would be read as its next answer.
    const inTheMiddle = response !== undefined && response.headersSent && !(response.writableFinished && response.req.complete);
    if (error.code === 'ECONNRESET' || !socket.writable || inTheMiddle) {
      socket.destroy();
      return;
    }
    answer(socket, problemFor(error.code), options);
  });
  server.on('connect', (_, socket) => answer(socket, new Problem('invalid_request', { detail: 'CONNECT is not supported.' }), options));
}

/** Answers a request whose target cannot be read, and ends the connection. */
export function refuseTarget(socket: Duplex, options: Options): void {
  answer(socket, new Problem('invalid_request', { detail: 'The request target is not a path in visible ASCII characters.' }), options);
}

function problemFor(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem('headers_too_large');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new Problem('request_timeout');
  return new Problem('invalid_request', { detail: 'The bytes received are not an HTTP/1.1 request.' });
}

function answer(socket: Duplex, problem: Problem, { portalUrl, logger }: Options): void {
  const requestId = newId('req');
  const { status } = errorCatalogue[problem.code];
  const body = JSON.stringify(problemDetails(problem, { portalUrl, instance: '/', requestId }));
  const headers = {
    ...commonHeaders(requestId, 'pull'),
    ...problemHeaders(problem),
    'Content-Length': String(Buffer.byteLength(body)),
    Date: new Date().toUTCString(),
    Connection: 'close',
  };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => {});
  socket.end(`HTTP/1.1 ${status} ${problem.code}\r\n${head.join('')}\r\n${body}`);
  httpRequests.inc({ server: 'rest-api', route: 'broken', status: String(status), code: problem.code });
  logger.info({ requestId, route: 'broken', status, problem: problem.code }, 'request');
}

import { type ServerResponse, STATUS_CODES } from 'node:http';

/** The answer to something that never reached the framework. It is the last one on its connection. */
export type BareAnswer = { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: string };

/** The bytes of the answer, for a connection on which no request could be read. */
export function bytesOf({ status, headers, body }: BareAnswer): string {
  const lines = Object.entries({ ...headers, ...closing(body), Date: new Date().toUTCString() });
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`;
}

/** Answers a request that is refused before the framework sees it. */
export function answerBare(response: ServerResponse, { status, headers, body }: BareAnswer): void {
  response.writeHead(status, { ...headers, ...closing(body) }).end(body);
}

function closing(body: string): Record<string, string> {
  return { 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' };
}

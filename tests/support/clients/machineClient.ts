import { Agent, request } from 'node:https';
import { gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expectContract } from './contract.ts';
import type { MachineResponse } from './MachineResponse.ts';

export type MachineClientOptions = {
  url: string;
  /** The server certificate's authority. */
  ca: string;
  certPem?: string;
  keyPem?: string;
  /** In place of the two, a PKCS#12 file with its password. */
  pkcs12?: { readonly file: Buffer; readonly password: string };
  /** The address that calls come from, such as 127.0.0.2. */
  localAddress?: string;
};

type CallOptions = {
  method?: string;
  headers?: Record<string, string | string[]>;
  /** Sent as JSON, with its Content-Type unless `headers` has one; text and bytes are sent as they are. */
  body?: unknown;
  describe?: boolean;
};

/** An operator's back end: calls over mutual TLS with connections kept alive. Every answer is checked against the OpenAPI description. */
export class MachineClient {
  readonly #options: MachineClientOptions;
  readonly #agent: Agent;

  constructor(options: MachineClientOptions, maxSockets = 64) {
    this.#options = options;
    this.#agent = new Agent({
      keepAlive: true,
      maxSockets,
      ca: options.ca,
      ...(options.localAddress !== undefined && { localAddress: options.localAddress }),
      ...(options.certPem !== undefined && { cert: options.certPem, key: options.keyPem }),
      ...(options.pkcs12 && { pfx: options.pkcs12.file, passphrase: options.pkcs12.password }),
    });
  }

  /** Sends one request; `path` with its query, such as `/v1/sync?limit=10`. Rejects on a transport failure. */
  async call(path: string, { method = 'GET', headers = {}, body, describe = true }: CallOptions = {}): Promise<MachineResponse> {
    const payload = body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body);
    const sent = {
      ...(payload !== undefined && { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(payload)) }),
      ...headers,
    };
    const response = await new Promise<MachineResponse>((resolve, reject) => {
      const outgoing = request(new URL(path, this.#options.url), { method, headers: sent, agent: this.#agent }, (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const text = decoded(Buffer.concat(chunks), incoming.headers['content-encoding']).toString();
          const json = text !== '' && /json/.test(incoming.headers['content-type'] ?? '') ? JSON.parse(text) : null;
          resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text, body: json });
        });
      });
      outgoing.on('error', reject);
      outgoing.end(payload);
    });
    if (describe) expectContract(method, path, response);
    return response;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** The body of an answer, without the coding that the call asked for. */
function decoded(body: Buffer, coding: string | undefined): Buffer {
  if (body.length === 0) return body;
  return coding === 'gzip' ? gunzipSync(body) : coding === 'zstd' ? zstdDecompressSync(body) : body;
}

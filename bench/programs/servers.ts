import type { ServerOptions } from 'node:https';
import { soleKey } from '../../server/domain/shared/keySet.ts';
import type { KeyRing } from '../../server/database/keyRing.ts';

/** What each measured server is told before it starts. */
export type ServerTask = {
  readonly databaseUrl: string;
  readonly cursorKeyHex: string;
  readonly tls: { readonly certPem: string; readonly keyPem: string };
  readonly authorityPems: readonly string[];
  /** The file with the bytes of each answer, by client and request path (`answerKey`). The bare server sends these. */
  readonly answers: Readonly<Record<string, string>>;
};

/** The bare server knows no clients. This header tells it which client's page is wanted; the other servers ignore it. */
export const clientHeader = 'x-bench-client';

export function answerKey(client: string, path: string): string {
  return `${client} ${path}`;
}

/** A key ring of which only the cursor key matters here. */
export function benchKeyRing(cursorKeyHex: string): KeyRing {
  const cursor = soleKey(Buffer.from(cursorKeyHex, 'hex'));
  return { cursor, lookup: cursor, session: cursor, verification_link: cursor };
}

/** The options of a mutual-TLS server that refuses unknown clients in the handshake. */
export function mutualTls({ tls, authorityPems }: ServerTask): ServerOptions {
  return {
    cert: tls.certPem,
    key: tls.keyPem,
    ca: [...authorityPems],
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    // Connections must survive the other servers' runs. Node's usual five seconds would close them between two runs of one server.
    keepAliveTimeout: 600_000,
  };
}

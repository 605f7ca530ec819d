import type { ServerOptions } from 'node:https';
import type { KeyRing } from '../../server/database/keyRing.ts';

/** What each measured server is told before it starts. */
export type ServerTask = {
  readonly databaseUrl: string;
  readonly cursorKeyHex: string;
  readonly tls: { readonly certPem: string; readonly keyPem: string };
  readonly authorityPems: readonly string[];
  /** Client and request path (`answerKey`) → file with the bytes of its answer; the bare server sends these. */
  readonly answers: Readonly<Record<string, string>>;
};

/** The header by which the bare server, which knows no client, tells one client's page from another's; the others ignore it. */
export const clientHeader = 'x-bench-client';

export function answerKey(client: string, path: string): string {
  return `${client} ${path}`;
}

/** A key ring of which only the cursor key matters here. */
export function benchKeyRing(cursorKeyHex: string): KeyRing {
  const cursor = Buffer.from(cursorKeyHex, 'hex');
  return { cursor, lookup: cursor, session: cursor, verification_link: cursor };
}

/** The options of a mutual-TLS server that refuses other clients in the handshake. */
export function mutualTls({ tls, authorityPems }: ServerTask): ServerOptions {
  return {
    cert: tls.certPem,
    key: tls.keyPem,
    ca: [...authorityPems],
    requestCert: true,
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    // Connections outlive the other servers' runs: Node's usual five seconds would close them between two of one server.
    keepAliveTimeout: 600_000,
  };
}

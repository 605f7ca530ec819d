import type { KeyRing } from '../server/database/keyRing.ts';

/** What each measured server is told before it starts. */
export type ServerTask =
  | {
      readonly kind: 'start';
      readonly databaseUrl: string;
      readonly cursorKeyHex: string;
      readonly clientNo: number;
      readonly tls: { readonly certPem: string; readonly keyPem: string };
      readonly authorityPems: readonly string[];
      /** Request path → file with the bytes of its answer; the bare server sends these. */
      readonly answers: Readonly<Record<string, string>>;
    }
  | { readonly kind: 'cpu' };

/** A key ring of which only the cursor key matters here. */
export function benchKeyRing(cursorKeyHex: string): KeyRing {
  const cursor = Buffer.from(cursorKeyHex, 'hex');
  return { cursor, lookup: cursor, session: cursor, verification_link: cursor };
}

/** Connections outlive the other servers' runs: Node's usual five seconds would close them between two of one server. */
export const keepAlive = { keepAliveTimeout: 600_000 } as const;

import { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Query } from '../../server/domain/shared/query.ts';

type Row = { kind: 'root' | 'issuing'; certificate_pem: string };

const authoritiesSql = `select kind, certificate_pem from certificate_authority where not_after > $1::text::timestamptz order by id`;

/** The authorities whose client certificates are accepted. They include retired ones for as long as they are valid. */
export class ClientAuthorities {
  #pems: readonly string[] = [];
  #issuers: readonly X509Certificate[] = [];
  /** For each peer, the authorities that its handshake is judged by from the first byte on. */
  readonly #judges = new Map<string, readonly string[]>();

  /** The `ca` of the TLS context. It is never undefined, because Node would then trust the public root store. */
  get pems(): readonly string[] {
    return this.#pems;
  }

  get loaded(): boolean {
    return this.#issuers.length > 0;
  }

  /** Remembers which authorities judge a new connection. A handshake keeps those that it began with. */
  noteConnection(socket: Socket): void {
    const peer = peerOf(socket);
    this.#judges.set(peer, this.#pems);
    socket.once('close', () => this.#judges.delete(peer));
  }

  /** Whether the connection's handshake was judged by the current authorities. An older verdict may be wrong. */
  judged(socket: Socket): boolean {
    return this.loaded && this.#judges.get(peerOf(socket)) === this.#pems;
  }

  /** Reads the table. Resolves to true if the set has changed; rejects if the database cannot be asked. */
  async reload(query: Query, now: Date): Promise<boolean> {
    const rows = await query<Row>(authoritiesSql, [now.toISOString()]);
    const pems = rows.map((row) => row.certificate_pem);
    if (pems.join() === this.#pems.join()) return false;
    this.#pems = pems;
    this.#issuers = rows.filter((row) => row.kind === 'issuing').map((row) => new X509Certificate(row.certificate_pem));
    return true;
  }

  /** Whether one of the issuing authorities signed this certificate. */
  issued(certificate: X509Certificate): boolean {
    return this.#issuers.some((issuer) => certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey));
  }
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress} ${remotePort}`;
}

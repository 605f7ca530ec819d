import { X509Certificate } from 'node:crypto';
import type { Socket } from 'node:net';
import type { Query } from '../../server/domain/shared/query.ts';
import { bareConnection } from '../../server/platform/callerAddress.ts';

type Row = { kind: 'root' | 'issuing'; certificate_pem: string; revoked: boolean; ended: boolean };

const authoritiesSql = `
select kind, certificate_pem, revoked_at is not null as revoked, not_after <= $1::timestamptz as ended from certificate_authority order by id`;

/**
 * The authorities whose client certificates are accepted. They include retired ones for as long as they are valid, unless they were revoked.
 */
export class ClientAuthorities {
  #pems: readonly string[] = [];
  #issuers: readonly X509Certificate[] = [];
  #revoked: readonly X509Certificate[] = [];
  /** All on record, whether they are trusted or not. */
  #known: readonly X509Certificate[] = [];
  /** For each connection, the authorities that its handshake is judged by from the first byte on. */
  readonly #judges = new WeakMap<Socket, readonly string[]>();

  /** The `ca` of the TLS context. It is never undefined, because Node would then trust the public root store. */
  get pems(): readonly string[] {
    return this.#pems;
  }

  get loaded(): boolean {
    return this.#issuers.length > 0;
  }

  /** Remembers which authorities judge a new connection. A handshake keeps those that it began with. */
  noteConnection(socket: Socket): void {
    this.#judges.set(socket, this.#pems);
  }

  /** Whether the connection's handshake was judged by the current authorities. An older verdict may be wrong. */
  judged(socket: Socket): boolean {
    return this.loaded && this.#judges.get(bareConnection(socket)) === this.#pems;
  }

  /** Reads the table. Resolves to true if the set has changed; rejects if the database cannot be asked. */
  async reload(query: Query, now: Date): Promise<boolean> {
    const rows = await query<Row>(authoritiesSql, [now.toISOString()]);
    const valid = rows.filter(({ ended }) => !ended);
    const pems = valid.filter(({ revoked }) => !revoked).map((row) => row.certificate_pem);
    const untrusted = valid.filter(({ revoked }) => revoked);
    if (pems.join() === this.#pems.join() && untrusted.length === this.#revoked.length) return false;
    this.#pems = pems;
    this.#issuers = valid
      .filter(({ kind, revoked }) => kind === 'issuing' && !revoked)
      .map((row) => new X509Certificate(row.certificate_pem));
    this.#revoked = untrusted.map((row) => new X509Certificate(row.certificate_pem));
    this.#known = rows.map((row) => new X509Certificate(row.certificate_pem));
    return true;
  }

  /** Whether one of the issuing authorities signed this certificate. */
  issued(certificate: X509Certificate): boolean {
    return signedByOne(this.#issuers, certificate);
  }

  /** Whether a revoked one did. Anyone who presents its certificate beside their own completes a chain to the root, which TLS accepts. */
  distrusts(certificate: X509Certificate): boolean {
    return signedByOne(this.#revoked, certificate);
  }

  /** Whether one on record has signed it, whatever has become of that one since. */
  knows(certificate: X509Certificate): boolean {
    return signedByOne(this.#known, certificate);
  }

  /** Whether it names one on record as its issuer, which anybody can write. */
  names({ issuer }: X509Certificate): boolean {
    return this.#known.some(({ subject }) => subject === issuer);
  }
}

function signedByOne(issuers: readonly X509Certificate[], certificate: X509Certificate): boolean {
  return issuers.some((issuer) => certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey));
}

import { defineEntity, p } from '@mikro-orm/postgresql';
import { Operator } from '../account/Operator.ts';
import { Client } from '../client/Client.ts';
import { move, type HeldByTable } from '../shared/stateMachine.ts';
import { Authority } from './Authority.ts';
import { certificateStatuses, certificateTransitions } from './certificateStatus.ts';

export const revocationReasons = ['superseded', 'key_compromise', 'cessation_of_operation', 'unspecified'] as const;
export type RevocationReason = (typeof revocationReasons)[number];

/** How a certificate came about: by an uploaded request, as a package that the service made, or by a renewal through EST. */
export const certificateSources = ['csr', 'p12', 'est'] as const;
export type CertificateSource = (typeof certificateSources)[number];

const schema = defineEntity({
  name: 'Certificate',
  tableName: 'certificate',
  properties: {
    id: p.string().primary(),
    clientNumber: p.manyToOne(Client).mapToPk().fieldName('client_number'),
    /** Which of the client's slots it occupies while it is pending or usable. Null afterwards. */
    slot: p.smallint().nullable(),
    source: p.enum(certificateSources),
    status: p.enum(certificateStatuses),
    /** The certificate with which its request was made, through EST. */
    renews: p.string().nullable(),
    csrDer: p.blob().nullable(),
    publicKeyDer: p.blob().nullable(),
    keyType: p.string(),
    /** The name of the owner's files, without their endings: the key, its request and the bundle. */
    keyName: p.string(),
    issuerId: p.manyToOne(Authority).mapToPk().fieldName('issuer_id').nullable(),
    /** Lower-case hexadecimal. Reserved before signing. */
    serial: p.string().nullable(),
    fingerprintSha256: p.string().fieldName('fingerprint_sha256').nullable(),
    pem: p.text().nullable(),
    requestedAt: p.datetime(3),
    requestedBy: p.manyToOne(Operator).mapToPk().fieldName('requested_by'),
    issuedAt: p.datetime(3).nullable(),
    notBefore: p.datetime(3).nullable(),
    notAfter: p.datetime(3).nullable(),
    /** The earlier of notAfter and the end of an overlap. Admission reads it. */
    usableUntil: p.datetime(3).nullable(),
    failure: p.text().nullable(),
    revokedAt: p.datetime(3).nullable(),
    revocationReason: p.enum(revocationReasons).nullable(),
    crlPublishedAt: p.datetime(3).nullable(),
  },
});

/** A client certificate, from its request on (docs/specification.md, “Certificate issuance”). */
export class Certificate extends (schema.class as HeldByTable<typeof schema.class, typeof certificateTransitions>) {
  /** Ends it for good. Throws `conflict` if it was never issued or is already revoked. */
  revoke(this: Certificate, reason: RevocationReason, now: Date): void {
    move(certificateTransitions, this, 'revokeCertificate', { slot: null, revokedAt: now, revocationReason: reason });
  }
}
schema.setClass(Certificate);

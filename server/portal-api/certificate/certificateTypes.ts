import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import {
  certificateSources,
  revocationReasons,
  type Certificate,
  type CertificateSource,
  type RevocationReason,
} from '../../domain/certificate/Certificate.ts';
import { certificateSelections } from '../../domain/certificate/certificates.ts';
import { shownCertificateStatuses } from '../../domain/certificate/certificateStatus.ts';
import { p12Statuses, type P12Status } from '../../domain/certificate/p12/package/p12Status.ts';
import { connectionOf } from '../connection.ts';
import { enumType, storedEnumType } from '../enumType.ts';

export const CertificateSourceEnum = storedEnumType(
  'CertificateSource',
  certificateSources,
  'By an uploaded request, as a package that the service made, or by a renewal through EST.',
);
export const CertificateSelectionEnum = enumType(
  'CertificateSelection',
  certificateSelections,
  'In use: pending or usable, and an expired one until another certificate takes its slot. Ended: all others.',
);
export const CertificateStatusEnum = storedEnumType(
  'CertificateStatus',
  shownCertificateStatuses,
  'Expired is derived: an issued certificate past its usable time.',
);
export const RevocationReasonEnum = storedEnumType('CertificateRevocationReason', revocationReasons);

const P12StatusEnum = storedEnumType(
  'P12Status',
  p12Statuses,
  'Making: a worker makes the key, the certificate and the package. Ready: it waits for its claim. Claimed: it was handed over. Expired: not claimed in time. Blocked: too many wrong tokens. Failed: it could not be made. Revoked: the certificate was revoked before the claim.',
);

@ObjectType('P12Package', {
  description: 'The package with the key of a certificate whose source is p12. Its bytes are answered by claimP12 alone.',
})
export class P12PackageType {
  @Field(() => P12StatusEnum)
  status!: P12Status;
  @Field(() => Date, { nullable: true })
  readyAt?: Date | null;
  @Field(() => Date, { nullable: true, description: 'From this moment on it can no longer be claimed.' })
  claimUntil?: Date | null;
  @Field(() => Int, {
    description: 'How many wrong claim tokens may still be entered before the package is removed and its certificate revoked.',
  })
  attemptsLeft!: number;
  @Field(() => Date, { nullable: true, description: 'When it was claimed, or ended without a claim.' })
  endedAt?: Date | null;
}

@ObjectType('CertificateRenewal', {
  description:
    'A pending or usable certificate whose request came through EST, made with the certificate in question or with what was renewed from that one.',
})
export class CertificateRenewalType {
  @Field(() => ID)
  id!: string;
  @Field(() => String)
  keyName!: string;
  @Field(() => String, { nullable: true, description: 'Serial number, lower-case hexadecimal.' })
  serial!: string | null;
}

@ObjectType('Certificate')
export class CertificateType {
  @Field(() => ID)
  id!: string;
  @Field(() => CertificateSourceEnum)
  source!: CertificateSource;
  @Field(() => String, { nullable: true, description: 'Serial number, lower-case hexadecimal.' })
  serial?: string | null;
  @Field(() => String, { nullable: true, description: 'SHA-256 of the certificate, lower-case hexadecimal.' })
  fingerprintSha256?: string | null;
  @Field(() => String)
  keyType!: string;
  @Field(() => String, { description: 'What the owner’s files (key, request and bundle) are called, without their extensions.' })
  keyName!: string;
  @Field(() => Date)
  requestedAt!: Date;
  @Field(() => Date, { nullable: true })
  issuedAt?: Date | null;
  @Field(() => Date, { nullable: true })
  notAfter?: Date | null;
  @Field(() => Date, { nullable: true, description: 'The earlier of notAfter and the end of an overlap with a newer certificate.' })
  usableUntil?: Date | null;
  @Field(() => Date, { nullable: true })
  revokedAt?: Date | null;
  @Field(() => RevocationReasonEnum, { nullable: true })
  revocationReason?: RevocationReason | null;
  @Field(() => Date, { nullable: true, description: 'Since when the authority’s revocation list has named it.' })
  crlPublishedAt?: Date | null;
  @Field(() => String, { nullable: true, description: 'Why issuance failed, in words.' })
  failure?: string | null;
}

@ObjectType('CertificateConnection')
export class CertificateConnectionType extends connectionOf('Certificate', () => CertificateType) {}

@InputType()
export class RequestCertificateInput {
  @Field(() => ID)
  clientId!: string;
  @Field(() => String, { description: 'PKCS#10 in PEM; the subject is exactly the displayed common name.' })
  csr!: string;
}

@InputType()
export class SetRenewalByEstInput {
  @Field(() => ID)
  clientId!: string;
  @Field(() => Boolean)
  enabled!: boolean;
}

@InputType()
export class RevokeCertificateInput {
  @Field(() => ID)
  certificateId!: string;
  @Field(() => RevocationReasonEnum)
  reason!: RevocationReason;
}

@InputType()
export class RequestP12Input {
  @Field(() => ID)
  clientId!: string;
}

@ObjectType('RequestedP12')
export class RequestedP12Type {
  @Field(() => CertificateType)
  certificate!: Certificate;
  @Field(() => String, { description: 'Answered here only. The package cannot be opened without it; keep it in memory until the claim.' })
  claimToken!: string;
}

@InputType()
export class ClaimP12Input {
  @Field(() => ID)
  certificateId!: string;
  @Field(() => String, { description: 'The claim token that requestP12 answered.' })
  token!: string;
}

@ObjectType('ClaimedP12')
export class ClaimedP12Type {
  @Field(() => String, { description: 'What to call the file, such as sandbox-2026-11.p12.' })
  fileName!: string;
  @Field(() => String, { description: 'The PKCS#12 file in base64, with the key, its certificate and the chain.' })
  package!: string;
  @Field(() => String, { description: 'The password of the file. It is answered here only.' })
  password!: string;
}

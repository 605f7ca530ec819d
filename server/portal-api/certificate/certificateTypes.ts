import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { revocationReasons, type RevocationReason } from '../../domain/certificate/Certificate.ts';
import { shownCertificateStatuses } from '../../domain/certificate/certificateStatus.ts';
import { connectionOf } from '../connection.ts';
import { enumType } from '../enumType.ts';

export const CertificateSourceEnum = enumType('CertificateSource', ['csr', 'p12'] as const);
export const CertificateStatusEnum = enumType(
  'CertificateStatus',
  shownCertificateStatuses,
  'Expired is derived: an issued certificate past its usable time.',
);
export const RevocationReasonEnum = enumType('CertificateRevocationReason', revocationReasons);

@ObjectType('Certificate')
export class CertificateType {
  @Field(() => ID)
  id!: string;
  @Field(() => CertificateSourceEnum)
  source!: 'csr' | 'p12';
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
export class RevokeCertificateInput {
  @Field(() => ID)
  certificateId!: string;
  @Field(() => RevocationReasonEnum)
  reason!: RevocationReason;
}

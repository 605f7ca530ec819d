import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { CertificateSource, RevocationReason } from '../../domain/certificate/Certificate.ts';
import { type AuthorityStatus, authorityStatuses } from '../../domain/certificate/authorityStatus.ts';
import type { ShownCertificateStatus } from '../../domain/certificate/certificateStatus.ts';
import type { Environment } from '../../domain/shared/environment.ts';
import { CertificateSourceEnum, CertificateStatusEnum, CertificateType, RevocationReasonEnum } from '../certificate/certificateTypes.ts';
import { connectionOf } from '../connection.ts';
import { enumType } from '../enumType.ts';
import { EnvironmentEnum } from '../integration/integrationTypes.ts';

@ObjectType('AdministeredCertificate', { description: 'A certificate as administrators see it, with what it belongs to.' })
export class AdministeredCertificateType {
  @Field(() => CertificateType)
  certificate!: CertificateType;
  @Field(() => ID)
  clientId!: string;
  @Field(() => EnvironmentEnum)
  environment!: Environment;
  @Field(() => String, { description: 'The subject’s only common name.' })
  commonName!: string;
}

@ObjectType('AdministeredCertificateConnection')
export class AdministeredCertificateConnectionType extends connectionOf('AdministeredCertificate', () => AdministeredCertificateType) {}

@InputType()
export class CertificateFilterInput {
  @Field(() => String, {
    nullable: true,
    description:
      'A complete serial, fingerprint, common name or identifier, part of an integration’s name or slug, or part of its owner’s address with its @. Send it as a variable.',
  })
  search?: string | null;
  @Field(() => CertificateStatusEnum, { nullable: true })
  status?: ShownCertificateStatus | null;
  @Field(() => Int, { nullable: true, description: 'Only those in use that stop working within so many days, 1 to 90.' })
  expiresWithinDays?: number | null;
  @Field(() => CertificateSourceEnum, { nullable: true })
  source?: CertificateSource | null;
  @Field(() => ID, { nullable: true, description: 'Only those of this authority.' })
  authorityId?: string | null;
}

const AuthorityKindEnum = enumType(
  'AuthorityKind',
  ['root', 'issuing'] as const,
  'A root signs authorities, an issuing authority certificates.',
);

const AuthorityStatusEnum = enumType(
  'AuthorityStatus',
  authorityStatuses,
  'An imported authority is `waiting` until every process trusts it; until then, the one before it is `issuing`. The key of an `abandoned` one was given up.',
);

@ObjectType('RevocationList', { description: 'The current revocation list of an authority.' })
class RevocationListType {
  @Field(() => Int)
  number!: number;
  @Field(() => Date)
  thisUpdate!: Date;
  @Field(() => Date, { description: 'Until when the list is valid.' })
  nextUpdate!: Date;
  @Field(() => Int, { description: 'How many certificates it names.' })
  revoked!: number;
}

@ObjectType('CertificateAuthority', { description: 'One of the service’s authorities.' })
export class CertificateAuthorityType {
  @Field(() => ID)
  id!: string;
  @Field(() => AuthorityKindEnum)
  kind!: 'root' | 'issuing';
  @Field(() => AuthorityStatusEnum)
  status!: AuthorityStatus;
  @Field(() => Boolean, { description: 'Whether new certificates come from it.' })
  issues!: boolean;
  @Field(() => Boolean, { description: 'Whether the service has its private key. If not, it is kept offline, or was given up.' })
  hasKey!: boolean;
  @Field(() => Date)
  createdAt!: Date;
  @Field(() => Date)
  notAfter!: Date;
  @Field(() => Date, {
    nullable: true,
    description: 'From when on it issues no more: the next one was imported, or it was revoked or given up.',
  })
  retiredAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'Since when it is not trusted any more, because its root has revoked it.' })
  revokedAt!: Date | null;
  @Field(() => RevocationListType, { nullable: true, description: 'Null before the first list.' })
  crl!: RevocationListType | null;
}

@InputType({ description: 'The certificate, and why it is revoked: for revocation lists, and in words that its owner reads.' })
export class RevokeAnyCertificateInput {
  @Field(() => ID)
  certificateId!: string;
  @Field(() => RevocationReasonEnum)
  revocationReason!: RevocationReason;
  @Field(() => String, { description: '1 to 500 characters.' })
  reason!: string;
}

@InputType({ description: 'The client, and why its certificates are revoked: for revocation lists, and in words that its owner reads.' })
export class RevokeClientCertificatesInput {
  @Field(() => ID)
  clientId!: string;
  @Field(() => RevocationReasonEnum)
  revocationReason!: RevocationReason;
  @Field(() => String, { description: '1 to 500 characters.' })
  reason!: string;
}

@ObjectType('RevokeClientCertificatesPayload')
export class RevokeClientCertificatesPayloadType {
  @Field(() => Int, { description: 'How many certificates were revoked.' })
  revoked!: number;
}

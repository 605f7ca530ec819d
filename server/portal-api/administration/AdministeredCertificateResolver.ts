import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { allCertificates, type ListedCertificate } from '../../domain/administration/allCertificates.ts';
import { type AuthorityRecord, certificateAuthorities } from '../../domain/administration/certificateAuthorities.ts';
import type { OperatorRecord } from '../../domain/administration/operators.ts';
import { revokeAnyCertificate } from '../../domain/administration/revokeAnyCertificate.ts';
import { revokeClientCertificates } from '../../domain/administration/revokeClientCertificates.ts';
import type { Certificate } from '../../domain/certificate/Certificate.ts';
import type { Integration } from '../../domain/integration/Integration.ts';
import { isOwnerOf } from '../../domain/integration/refuseOwn.ts';
import { CertificateType } from '../certificate/certificateTypes.ts';
import { After, type AfterCursor, First } from '../connection.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { severalOf } from '../fieldCosts.ts';
import { IntegrationType } from '../integration/integrationTypes.ts';
import {
  AdministeredCertificateConnectionType,
  AdministeredCertificateType,
  CertificateAuthorityType,
  CertificateFilterInput,
  RevokeAnyCertificateInput,
  RevokeClientCertificatesInput,
  RevokeClientCertificatesPayloadType,
} from './administeredCertificateTypes.ts';
import { OperatorType } from './operatorTypes.ts';

@Resolver(() => AdministeredCertificateType)
export class AdministeredCertificateResolver {
  @Query(() => AdministeredCertificateConnectionType, {
    description:
      'For administrators: all certificates, newest request first. Those in use, and those that have expired, are in the order of their ends, the nearest to now first.',
  })
  async allCertificates(
    @Arg('filter', () => CertificateFilterInput, { nullable: true }) filter: CertificateFilterInput | null | undefined,
    @First(50) first: number,
    @After() after: AfterCursor,
    @Ctx() { em, clock }: PortalContext,
  ): Promise<AdministeredCertificateConnectionType> {
    return allCertificates(em, { filter: filter ?? {}, first, after, now: clock.now() });
  }

  @Query(() => [CertificateAuthorityType], {
    description: 'For administrators: the service’s authorities, issuing ones first, each with its revocation list.',
    complexity: severalOf,
  })
  certificateAuthorities(@Ctx() { em, clock }: PortalContext): Promise<AuthorityRecord[]> {
    return certificateAuthorities(em, clock.now());
  }

  @Mutation(() => CertificateType, {
    description:
      'For administrators: revokes anybody’s certificate but their own. The very next request with it is refused. For key_compromise, its renewals are revoked as well.',
  })
  revokeAnyCertificate(
    @Arg('input', () => RevokeAnyCertificateInput) input: RevokeAnyCertificateInput,
    @Ctx() context: PortalContext,
  ): Promise<Certificate> {
    return revokeAnyCertificate(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @Mutation(() => RevokeClientCertificatesPayloadType, {
    description: 'For administrators: revokes all certificates of a client that are pending or valid. Its owner can request new ones.',
  })
  async revokeClientCertificates(
    @Arg('input', () => RevokeClientCertificatesInput) input: RevokeClientCertificatesInput,
    @Ctx() context: PortalContext,
  ): Promise<RevokeClientCertificatesPayloadType> {
    return { revoked: await revokeClientCertificates(context.em, { actor: actorOf(context), ...input, now: context.clock.now() }) };
  }

  @FieldResolver(() => ID, { nullable: true, description: 'The authority that issued it; null before the first attempt.' })
  authorityId(@Root() { certificate }: ListedCertificate): string | null {
    return certificate.issuerId ?? null;
  }

  @FieldResolver(() => IntegrationType)
  integration(@Root() { integrationId }: ListedCertificate, @Ctx() { loaders }: PortalContext): Promise<Integration> {
    return loaders.integration.load(integrationId);
  }

  @FieldResolver(() => OperatorType)
  async owner(@Root() { integrationId }: ListedCertificate, @Ctx() { loaders }: PortalContext): Promise<OperatorRecord> {
    return loaders.operator.load((await loaders.integration.load(integrationId)).operatorId);
  }

  @FieldResolver(() => Boolean, { description: 'Whether it is the viewer’s own; then another administrator decides about it.' })
  async own(@Root() { integrationId }: ListedCertificate, @Ctx() context: PortalContext): Promise<boolean> {
    return isOwnerOf(await context.loaders.integration.load(integrationId), actorOf(context));
  }
}

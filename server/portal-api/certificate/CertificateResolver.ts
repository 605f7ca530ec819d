import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { Certificate } from '../../domain/certificate/Certificate.ts';
import { certificates } from '../../domain/certificate/certificates.ts';
import { shownCertificateStatus } from '../../domain/certificate/certificateStatus.ts';
import { requestCertificate } from '../../domain/certificate/requestCertificate.ts';
import { revokeCertificate } from '../../domain/certificate/revokeCertificate.ts';
import { After, type AfterCursor, First } from '../connection.ts';
import { actorOf, type PortalContext } from '../context.ts';
import {
  CertificateConnectionType,
  CertificateStatusEnum,
  CertificateType,
  RequestCertificateInput,
  RevokeCertificateInput,
} from './certificateTypes.ts';

@Resolver(() => CertificateType)
export class CertificateResolver {
  @Query(() => CertificateConnectionType, {
    description:
      'The certificates of a client of one of the viewer’s own integrations, or, for administrators, of any integration: pending and usable ones first, newest first within each group.',
  })
  async certificates(
    @Arg('clientId', () => ID) clientId: string,
    @First() first: number,
    @After() after: AfterCursor,
    @Ctx() context: PortalContext,
  ): Promise<CertificateConnectionType> {
    const asked = { reader: actorOf(context), clientId, first, after };
    return certificates(context.em, asked);
  }

  @FieldResolver(() => CertificateStatusEnum)
  status(@Root() certificate: Certificate, @Ctx() { clock }: PortalContext): keyof typeof CertificateStatusEnum {
    return shownCertificateStatus(certificate, clock.now());
  }

  @FieldResolver(() => String, {
    nullable: true,
    description: 'Where the owner downloads the PEM bundle: leaf first, then the public CA chain.',
  })
  bundlePath(@Root() { id, pem }: Certificate): string | null {
    return pem ? `/certificates/${id}/bundle.pem` : null;
  }

  @Mutation(() => CertificateType, { description: 'Needs a fresh passkey confirmation. Issuance is asynchronous.' })
  requestCertificate(
    @Arg('input', () => RequestCertificateInput) input: RequestCertificateInput,
    @Ctx() context: PortalContext,
  ): Promise<Certificate> {
    return requestCertificate(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @Mutation(() => CertificateType, {
    description: 'Needs a fresh passkey confirmation. The very next request with the certificate is refused.',
  })
  revokeCertificate(
    @Arg('input', () => RevokeCertificateInput) input: RevokeCertificateInput,
    @Ctx() context: PortalContext,
  ): Promise<Certificate> {
    return revokeCertificate(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }
}

import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import { restConnection } from '../../database/connection/keptConnection.ts';
import type { Certificate } from '../../domain/certificate/Certificate.ts';
import { certificates, type CertificateSelection } from '../../domain/certificate/certificates.ts';
import { shownCertificateStatus } from '../../domain/certificate/certificateStatus.ts';
import { checkCsr } from '../../domain/certificate/csr/csrRules.ts';
import { claimP12 } from '../../domain/certificate/p12/claimP12.ts';
import { shownP12Status } from '../../domain/certificate/p12/package/p12Status.ts';
import { requestP12 } from '../../domain/certificate/p12/requestP12.ts';
import { requestCertificate } from '../../domain/certificate/request/requestCertificate.ts';
import type { CertificateRenewal } from '../../domain/certificate/renewalsOf.ts';
import { setRenewalByEst } from '../../domain/certificate/renewal/setRenewalByEst.ts';
import { revokeCertificate } from '../../domain/certificate/revokeCertificate.ts';
import type { Client } from '../../domain/client/Client.ts';
import { After, type AfterCursor, First } from '../connection.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { severalOf } from '../fieldCosts.ts';
import { ClientType } from '../integration/integrationTypes.ts';
import {
  CertificateConnectionType,
  CertificateRenewalType,
  CertificateSelectionEnum,
  CertificateStatusEnum,
  CertificateType,
  ClaimedP12Type,
  ClaimP12Input,
  P12PackageType,
  RequestCertificateInput,
  RequestedP12Type,
  RequestP12Input,
  RevokeCertificateInput,
  SetRenewalByEstInput,
} from './certificateTypes.ts';

@Resolver(() => CertificateType)
export class CertificateResolver {
  @Query(() => CertificateConnectionType, {
    description:
      'The certificates of a client of one of the viewer’s own integrations, or, for administrators, of any integration: pending and usable ones first, newest first within each group.',
  })
  async certificates(
    @Arg('clientId', () => ID) clientId: string,
    @Arg('selection', () => CertificateSelectionEnum, { defaultValue: 'all' }) selection: CertificateSelection,
    @Arg('id', () => ID, { nullable: true, description: 'Only this certificate, whatever the selection.' })
    id: string | null | undefined,
    @First() first: number,
    @After() after: AfterCursor,
    @Ctx() context: PortalContext,
  ): Promise<CertificateConnectionType> {
    const asked = { reader: actorOf(context), clientId, selection, id, first, after };
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

  @FieldResolver(() => [CertificateRenewalType], {
    complexity: severalOf,
    description:
      'What was renewed from it through EST and is still pending or usable. Revoking it for key_compromise revokes these as well.',
  })
  renewals(@Root() { id }: Certificate, @Ctx() { clock, loaders }: PortalContext): Promise<CertificateRenewal[]> {
    return loaders.certificateRenewals.load({ id, now: clock.now() });
  }

  @Mutation(() => CertificateType, { description: 'Needs a fresh passkey confirmation. Issuance is asynchronous.' })
  requestCertificate(
    @Arg('input', () => RequestCertificateInput) input: RequestCertificateInput,
    @Ctx() context: PortalContext,
  ): Promise<Certificate> {
    const judge: typeof checkCsr = (...request) => {
      restConnection();
      return checkCsr(...request);
    };
    return requestCertificate(context.em, { actor: actorOf(context), ...input, judge, now: context.clock.now() });
  }

  @FieldResolver(() => P12PackageType, { nullable: true, description: 'Null unless the source is p12.' })
  async p12(@Root() { id, source, status }: Certificate, @Ctx() { clock, loaders }: PortalContext): Promise<P12PackageType | null> {
    if (source !== 'p12') return null;
    const found = await loaders.p12Package.load(id);
    return found && { ...found, status: shownP12Status(found, status, clock.now()) };
  }

  @Mutation(() => RequestedP12Type, {
    description:
      'Needs a fresh passkey confirmation. A worker makes the key; the package is claimed with claimP12 within 15 minutes after it is ready.',
  })
  requestP12(@Arg('input', () => RequestP12Input) input: RequestP12Input, @Ctx() context: PortalContext): Promise<RequestedP12Type> {
    const { em, keyRing, clock } = context;
    return requestP12(em, { actor: actorOf(context), ...input, lookupKeys: keyRing.lookup, now: clock.now() });
  }

  @Mutation(() => ClaimedP12Type, {
    description:
      'Needs a fresh passkey confirmation. Answers the package and its password once; the fifth wrong token removes the package.',
  })
  async claimP12(@Arg('input', () => ClaimP12Input) input: ClaimP12Input, @Ctx() context: PortalContext): Promise<ClaimedP12Type> {
    const { em, keyRing, clock } = context;
    const claimed = await claimP12(em, { actor: actorOf(context), ...input, lookupKeys: keyRing.lookup, now: clock.now() });
    const file = claimed.pkcs12.toString('base64');
    claimed.pkcs12.fill(0);
    return { fileName: claimed.fileName, package: file, password: claimed.password };
  }

  @Mutation(() => CertificateType, {
    description:
      'Needs a fresh passkey confirmation. The very next request with the certificate is refused. For key_compromise, its renewals are revoked as well; otherwise they go on working.',
  })
  revokeCertificate(
    @Arg('input', () => RevokeCertificateInput) input: RevokeCertificateInput,
    @Ctx() context: PortalContext,
  ): Promise<Certificate> {
    return revokeCertificate(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }

  @Mutation(() => ClientType, {
    description:
      'Needs a fresh passkey confirmation. Lets the client’s back end renew its certificates through EST, or stops that. A retired integration cannot switch it on.',
  })
  setRenewalByEst(@Arg('input', () => SetRenewalByEstInput) input: SetRenewalByEstInput, @Ctx() context: PortalContext): Promise<Client> {
    return setRenewalByEst(context.em, { actor: actorOf(context), ...input, now: context.clock.now() });
  }
}

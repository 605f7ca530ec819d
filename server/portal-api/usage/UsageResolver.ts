import { Arg, Ctx, FieldResolver, ID, Query, Resolver, Root } from 'type-graphql';
import type { Certificate } from '../../domain/certificate/Certificate.ts';
import type { Client } from '../../domain/client/Client.ts';
import { type LoggedRequest, requests } from '../../domain/usage/requestLog.ts';
import { requestReason } from '../../domain/usage/requestReason.ts';
import { type Usage, usage, type UsagePeriod } from '../../domain/usage/usage.ts';
import { CertificateType } from '../certificate/certificateTypes.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { ClientType } from '../integration/integrationTypes.ts';
import { RequestConnectionType, RequestFilterInput, RequestType, UsagePeriodEnum, UsageType } from './usageTypes.ts';
import { After, type AfterCursor, First } from '../connection.ts';

@Resolver()
export class UsageResolver {
  @Query(() => UsageType, { description: 'How a client of the viewer’s own was used, by the hour, and what is left of its quotas now.' })
  usage(
    @Arg('clientId', () => ID) clientId: string,
    @Arg('period', () => UsagePeriodEnum) period: UsagePeriod,
    @Ctx() context: PortalContext,
  ): Promise<Usage> {
    return usage(context.em, { operatorId: actorOf(context).operatorId, clientId, period, now: context.clock.now() });
  }

  @Query(() => RequestConnectionType, {
    description: 'The requests of a client of the viewer’s own, or, for administrators, of any client, in the last 7 days, newest first.',
  })
  async requests(
    @Arg('clientId', () => ID) clientId: string,
    @Arg('filter', () => RequestFilterInput, { nullable: true }) filter: RequestFilterInput | null | undefined,
    @First(50) first: number,
    @After() after: AfterCursor,
    @Ctx() context: PortalContext,
  ): Promise<RequestConnectionType> {
    return requests(context.em, { reader: actorOf(context), clientId, filter: filter ?? {}, now: context.clock.now(), first, after });
  }
}

@Resolver(() => RequestType)
export class RequestResolver {
  @FieldResolver(() => ID, { nullable: true, description: 'The presented certificate; null when it is not on record.' })
  certificateId(@Root() { certificate }: LoggedRequest): string | null {
    return certificate?.id ?? null;
  }

  @FieldResolver(() => String, { description: 'The outcome in a few words.' })
  title(@Root() request: LoggedRequest): string {
    return requestReason(request).title;
  }

  @FieldResolver(() => String, { nullable: true, description: 'The reason for the outcome, as far as it is known for this request.' })
  reason(@Root() request: LoggedRequest): string | null {
    return requestReason(request).reason;
  }

  @FieldResolver(() => String, { nullable: true, description: 'What the caller can do about it.' })
  advice(@Root() request: LoggedRequest): string | null {
    return requestReason(request).advice;
  }
}

@Resolver(() => ClientType)
export class ClientActivityResolver {
  @FieldResolver(() => Date, { nullable: true, description: 'The last request with a certificate of this client, including refused ones.' })
  async lastRequestAt(@Root() { no }: Client, @Ctx() { loaders }: PortalContext): Promise<Date | null> {
    return (await loaders.activity.load(no)).lastRequestAt;
  }

  @FieldResolver(() => Date, { nullable: true, description: 'The last GET /v1/sync that was answered with 200 or 304.' })
  async lastSyncAt(@Root() { no }: Client, @Ctx() { loaders }: PortalContext): Promise<Date | null> {
    return (await loaders.activity.load(no)).lastSyncAt;
  }
}

@Resolver(() => CertificateType)
export class CertificateActivityResolver {
  @FieldResolver(() => Date, {
    nullable: true,
    description: 'The last call that was made with it, unless the certificate itself was refused. Null if there has been none.',
  })
  lastUsedAt(@Root() { id }: Certificate, @Ctx() { loaders }: PortalContext): Promise<Date | null> {
    return loaders.certificateLastUsed.load(id);
  }
}

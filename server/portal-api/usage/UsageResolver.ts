import { Arg, Ctx, FieldResolver, ID, Int, Query, Resolver, Root } from 'type-graphql';
import type { Certificate } from '../../domain/certificate/Certificate.ts';
import type { Client } from '../../domain/client/Client.ts';
import { type ErrorGroup, errorGroups } from '../../domain/usage/errorGroups.ts';
import { type LoggedRequest, requests } from '../../domain/usage/requestLog.ts';
import { type RequestReason, requestReason } from '../../domain/usage/requestReason.ts';
import type { HourOfTraffic } from '../../domain/usage/traffic.ts';
import { type Usage, usage, type UsagePeriod } from '../../domain/usage/usage.ts';
import { CertificateType } from '../certificate/certificateTypes.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { ClientType } from '../integration/integrationTypes.ts';
import { severalOf, statementOf } from '../fieldCosts.ts';
import {
  ErrorGroupType,
  HourOfTrafficType,
  RequestConnectionType,
  RequestFilterInput,
  RequestType,
  UsagePeriodEnum,
  UsageType,
} from './usageTypes.ts';
import { After, type AfterCursor, First } from '../connection.ts';

@Resolver()
export class UsageResolver {
  @Query(() => UsageType, { description: 'How a client of the viewer’s own was used, by the hour, and what is left of its quotas now.' })
  usage(
    @Arg('clientId', () => ID) clientId: string,
    @Arg('period', () => UsagePeriodEnum) period: UsagePeriod,
    @Ctx() context: PortalContext,
  ): Promise<Usage> {
    const { operatorId } = actorOf(context);
    return context.readBehind((em) => usage(em, { operatorId, clientId, period, now: context.clock.now() }));
  }

  @Query(() => RequestConnectionType, {
    description: 'The requests of a client of the viewer’s own, or, for administrators, of any client, in the last 7 days, newest first.',
  })
  async requests(
    @Arg('clientId', () => ID) clientId: string,
    @Arg('filter', () => RequestFilterInput, { nullable: true }) filter: RequestFilterInput | null | undefined,
    @Arg('known', () => [ID], {
      nullable: true,
      description: 'At most 100 requests that the caller has already, which are left out. Only the last hour is read with it.',
    })
    known: string[] | null | undefined,
    @Arg('within', () => Int, {
      nullable: true,
      description: 'Only requests that began in the last so many seconds by the clock of the service, at most 3,600.',
    })
    within: number | null | undefined,
    @First(50) first: number,
    @After() after: AfterCursor,
    @Ctx() context: PortalContext,
  ): Promise<RequestConnectionType> {
    const now = context.clock.now();
    const asked = { reader: actorOf(context), clientId, filter: filter ?? {}, known, within, now, first, after };
    // Who waits for a call, or looks for one, sees it at once.
    if (known || within || filter?.requestId) return requests(context.em, asked);
    return context.readBehind((em) => requests(em, asked));
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

@Resolver(() => ErrorGroupType)
export class ErrorGroupResolver {
  @FieldResolver(() => ID, { nullable: true, description: 'The presented certificate; null when it is not on record.' })
  certificateId(@Root() { certificate }: ErrorGroup): string | null {
    return certificate?.id ?? null;
  }

  @FieldResolver(() => String, { description: 'The outcome in a few words.' })
  title(@Root() group: ErrorGroup): string {
    return reasonOf(group).title;
  }

  @FieldResolver(() => String, { nullable: true, description: 'The reason, as far as it is known for the last of them.' })
  reason(@Root() group: ErrorGroup): string | null {
    return reasonOf(group).reason;
  }

  @FieldResolver(() => String, { nullable: true, description: 'What to mend.' })
  advice(@Root() group: ErrorGroup): string | null {
    return reasonOf(group).advice;
  }
}

function reasonOf({ lastAt, ...group }: ErrorGroup): RequestReason {
  return requestReason({ ...group, occurredAt: lastAt });
}

@Resolver(() => ClientType)
export class ClientErrorsResolver {
  @FieldResolver(() => [ErrorGroupType], {
    description:
      'Why its requests were refused or failed since a moment (by the hour, at most 7 days ago; without one, in the last 24 hours), by cause: open groups first, then the most frequent.',
    complexity: statementOf,
  })
  errorGroups(
    @Arg('since', () => Date, { nullable: true }) since: Date | null | undefined,
    @Arg('first', () => Int, { defaultValue: 3, description: 'At most 100.' }) first: number,
    @Root() { number }: Client,
    @Ctx() { em, clock }: PortalContext,
  ): Promise<ErrorGroup[]> {
    return errorGroups(em, { clientNumber: number, since, first, now: clock.now() });
  }
}

@Resolver(() => ClientType)
export class ClientActivityResolver {
  @FieldResolver(() => [HourOfTrafficType], { complexity: severalOf, description: 'Its last 24 hours, the present one last.' })
  traffic(@Root() { number }: Client, @Ctx() { loaders, clock }: PortalContext): Promise<HourOfTraffic[]> {
    return loaders.traffic.load({ clientNumber: number, now: clock.now() });
  }

  @FieldResolver(() => Date, { nullable: true, description: 'The last request with a certificate of this client, including refused ones.' })
  async lastRequestAt(@Root() { number }: Client, @Ctx() { loaders }: PortalContext): Promise<Date | null> {
    return (await loaders.activity.load(number)).lastRequestAt;
  }

  @FieldResolver(() => Date, { nullable: true, description: 'The last GET /v1/sync that was answered with 200 or 304.' })
  async lastSyncAt(@Root() { number }: Client, @Ctx() { loaders }: PortalContext): Promise<Date | null> {
    return (await loaders.activity.load(number)).lastSyncAt;
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

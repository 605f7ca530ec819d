import { Ctx, FieldResolver, Query, Resolver } from 'type-graphql';
import { staffActs } from '../../domain/administration/staffActs.ts';
import { serviceAttention } from '../../domain/attention/service/serviceAttention.ts';
import type { AuditEntry } from '../../domain/audit/auditTrail.ts';
import { serviceRefusals, serviceTraffic } from '../../domain/usage/serviceTraffic.ts';
import type { HourOfTraffic } from '../../domain/usage/traffic.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { First } from '../connection.ts';
import { severalOf } from '../fieldCosts.ts';
import { HourOfTrafficType } from '../usage/usageTypes.ts';
import { AdministratorsHomeType, RefusalsOfServiceType } from './administratorsHomeTypes.ts';
import { AuditEntryType } from './auditTypes.ts';

/** What administrators see first. */
@Resolver(() => AdministratorsHomeType)
export class AdministratorsHomeResolver {
  @Query(() => AdministratorsHomeType, { description: 'For administrators: how the service is.' })
  async administratorsHome(@Ctx() { em, clock }: PortalContext): Promise<AdministratorsHomeType> {
    return { attention: await serviceAttention(em, clock.now()) };
  }

  @FieldResolver(() => [HourOfTrafficType], {
    nullable: true,
    complexity: severalOf,
    description: 'The requests of all clients in the last 24 hours, the present one last.',
  })
  traffic(@Ctx() { em, clock }: PortalContext): Promise<HourOfTraffic[]> {
    return serviceTraffic(em, clock.now());
  }

  @FieldResolver(() => [RefusalsOfServiceType], { nullable: true, complexity: severalOf, description: 'The most frequent first.' })
  refusals(@First(5) first: number, @Ctx() { em, clock }: PortalContext): Promise<RefusalsOfServiceType[]> {
    return serviceRefusals(em, { now: clock.now(), first });
  }

  @FieldResolver(() => [AuditEntryType], {
    nullable: true,
    complexity: severalOf,
    description: 'What the viewer’s colleagues have decided in the last 30 days, the latest first.',
  })
  staffActs(@First(5) first: number, @Ctx() context: PortalContext): Promise<AuditEntry[]> {
    return staffActs(context.em, { operatorId: actorOf(context).operatorId, now: context.clock.now(), first });
  }
}

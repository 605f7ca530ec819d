import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { allIntegrations, anyIntegration, type IntegrationOrder } from '../../domain/administration/allIntegrations.ts';
import { healthTotals } from '../../domain/administration/healthTotals.ts';
import { decisionsAbout } from '../../domain/administration/decisionsAbout.ts';
import type { OperatorRecord } from '../../domain/administration/operators.ts';
import type { HealthLevel } from '../../domain/attention/findings/findingTypes.ts';
import { overallHealth } from '../../domain/attention/ownHealth.ts';
import type { AuditEntry } from '../../domain/audit/auditTrail.ts';
import type { Integration } from '../../domain/integration/Integration.ts';
import { isOwnerOf } from '../../domain/integration/refuseOwn.ts';
import { mapPage } from '../../domain/shared/lists/page.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { HealthLevelEnum } from '../attention/attentionTypes.ts';
import { OutstandingDeletionsType } from '../integration/lifecycleTypes.ts';
import {
  AdministeredIntegrationConnectionType,
  AdministeredIntegrationType,
  HealthTotalsType,
  IntegrationFilterInput,
  IntegrationOrderEnum,
} from './administeredIntegrationTypes.ts';
import { After, type AfterCursor, First } from '../connection.ts';
import { statementOf } from '../fieldCosts.ts';
import { AuditEntryType } from './auditTypes.ts';
import { OperatorType } from './operatorTypes.ts';

type Administered = { readonly integration: Integration };

@Resolver(() => AdministeredIntegrationType)
export class AdministeredIntegrationResolver {
  @Query(() => AdministeredIntegrationConnectionType, { description: 'For administrators: all integrations.' })
  async allIntegrations(
    @Arg('filter', () => IntegrationFilterInput, { nullable: true }) filter: IntegrationFilterInput | null | undefined,
    @Arg('order', () => IntegrationOrderEnum, { defaultValue: 'newest' }) order: IntegrationOrder,
    @First(50) first: number,
    @After() after: AfterCursor,
    @Ctx() { em }: PortalContext,
  ): Promise<AdministeredIntegrationConnectionType> {
    const found = await allIntegrations(em, { filter: filter ?? {}, order, first, after });
    return mapPage(found, (integration) => ({ integration }));
  }

  @Query(() => HealthTotalsType, { description: 'For administrators: how many integrations are of each health.' })
  healthTotals(@Ctx() { em }: PortalContext): Promise<HealthTotalsType> {
    return healthTotals(em);
  }

  @Query(() => AdministeredIntegrationType, { description: 'For administrators: any integration.' })
  async anyIntegration(@Arg('slug', () => String) slug: string, @Ctx() { em }: PortalContext): Promise<Administered> {
    return { integration: await anyIntegration(em, slug) };
  }

  @FieldResolver(() => OutstandingDeletionsType, { description: 'Production deletions that have been neither acknowledged nor recorded.' })
  deletions(@Root() { integration }: Administered, @Ctx() { loaders, clock }: PortalContext): Promise<OutstandingDeletionsType> {
    return loaders.outstandingDeletions.load({ integrationId: integration.id, now: clock.now() });
  }

  @FieldResolver(() => [AuditEntryType], {
    complexity: statementOf,
    description: 'What was decided about its access, the latest first, however much has happened since.',
  })
  decisions(@Root() { integration }: Administered, @First(3) first: number, @Ctx() { em }: PortalContext): Promise<AuditEntry[]> {
    return decisionsAbout(em, { integrationId: integration.id, first });
  }

  @FieldResolver(() => Boolean, {
    description: 'Whether it is the viewer’s own; then another administrator, or the server’s terminal, decides about it.',
  })
  own(@Root() { integration }: Administered, @Ctx() context: PortalContext): boolean {
    return isOwnerOf(integration, actorOf(context));
  }

  @FieldResolver(() => HealthLevelEnum, { description: 'How it is as a whole: as in the environment that says most.' })
  async health(@Root() { integration }: Administered, @Ctx() { loaders, clock }: PortalContext): Promise<HealthLevel> {
    return overallHealth(await loaders.attentionFacts.load({ id: integration.id, now: clock.now() }));
  }

  @FieldResolver(() => OperatorType)
  owner(@Root() { integration }: Administered, @Ctx() { loaders }: PortalContext): Promise<OperatorRecord> {
    return loaders.operator.load(integration.operatorId);
  }
}

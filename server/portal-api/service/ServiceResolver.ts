import { Ctx, Field, Int, ObjectType, Query, Resolver } from 'type-graphql';
import { creditText } from '../../domain/integration/profile/attribution.ts';
import { neededScopes } from '../../domain/integration/profile/scopeRules.ts';
import { machineProblems } from '../../domain/shared/errorCatalogue.ts';
import { certificateLimits } from '../../domain/certificate/certificateLimits.ts';
import { limits } from '../../domain/shared/limits.ts';
import { webhookLimits } from '../../domain/outbox/webhookLimits.ts';
import { allScopes, scopeGrants } from '../../domain/shared/scopes.ts';
import type { PortalContext } from '../context.ts';

@ObjectType('ScopeDescription')
class ScopeDescriptionType {
  @Field(() => String)
  name!: string;
  @Field(() => String, { description: 'What the scope grants, in words.' })
  grants!: string;
  @Field(() => String, { nullable: true, description: 'The scope without which this one shows nothing.' })
  needs!: string | null;
}

@ObjectType('Limits')
class LimitsType {
  @Field(() => Int)
  requestsPerHour!: number;
  @Field(() => Int)
  requestsPerMinute!: number;
  @Field(() => Int)
  concurrentRequests!: number;
  @Field(() => Int)
  certificateDays!: number;
  @Field(() => Int)
  certificatesPerEnvironment!: number;
  @Field(() => Int, { description: 'For the sandbox and production together.' })
  webhookEndpoints!: number;
  @Field(() => Int)
  corpusOrders!: number;
  @Field(() => Int)
  corpusVehicles!: number;
  @Field(() => Int)
  pollingMinutes!: number;
}

@ObjectType('Problem', { description: 'One error code of the machine API (RFC 9457).' })
class ProblemType {
  @Field(() => String)
  code!: string;
  @Field(() => Int, { description: 'HTTP status' })
  status!: number;
  @Field(() => String)
  title!: string;
  @Field(() => String, { description: 'What the caller can do about it.' })
  advice!: string;
}

@ObjectType('Attribution', { description: 'The credit that must appear wherever data from the service is shown.' })
class AttributionType {
  @Field(() => String)
  text!: string;
  @Field(() => String, { description: 'The app link; it leads to the order-tracking service.' })
  link!: string;
  @Field(() => String, { description: 'The footer badge’s script; its content never changes.' })
  badgeUrl!: string;
  @Field(() => String, { description: 'Subresource Integrity value of the script.' })
  badgeIntegrity!: string;
}

@ObjectType('SupportContact', { description: 'How to reach the people who run the service.' })
class SupportContactType {
  @Field(() => String, { description: 'A mailto: or https: URL.' })
  url!: string;
  @Field(() => String, { description: 'The address or the URL as people read it.' })
  text!: string;
}

@ObjectType('DevelopmentReceiver')
class DevelopmentReceiverType {
  @Field(() => String, { description: 'The host of its URL.' })
  host!: string;
  @Field(() => Int, { description: 'Where it listens on this machine.' })
  port!: number;
  @Field(() => String, { description: 'The folder with its certificate and key, receiver.pem and receiver.key.' })
  tlsFolder!: string;
}

@ObjectType('Service', { description: 'Public facts about this service.' })
class ServiceType {
  @Field(() => String)
  portalUrl!: string;
  @Field(() => String, { description: 'Base address of the machine API, with its version segment.' })
  machineApiUrl!: string;
  @Field(() => Boolean, { description: 'Mail is kept at /dev/mailbox instead of being sent.' })
  developmentMailbox!: boolean;
  @Field(() => Boolean, { description: 'The machine API has a generated server certificate; its authority is at /dev/machine-api-ca.pem.' })
  developmentCa!: boolean;
  @Field(() => DevelopmentReceiverType, {
    nullable: true,
    description: 'Where webhooks reach a receiver on the same machine, during development.',
  })
  developmentReceiver!: DevelopmentReceiverType | null;
  @Field(() => SupportContactType)
  supportContact!: SupportContactType;
  @Field(() => [ScopeDescriptionType])
  scopes!: ScopeDescriptionType[];
  @Field(() => AttributionType)
  attribution!: AttributionType;
  @Field(() => LimitsType)
  limits!: LimitsType;
  @Field(() => [ProblemType], { description: 'Every problem code that the machine API returns, by status.' })
  problems!: ProblemType[];
}

const day = 24 * 60 * 60 * 1000;

@Resolver()
export class ServiceResolver {
  @Query(() => ServiceType)
  service(@Ctx() { facts }: PortalContext): ServiceType {
    return {
      ...facts,
      scopes: allScopes.map((name) => ({ name, grants: scopeGrants[name], needs: neededScopes[name] ?? null })),
      attribution: {
        text: creditText,
        link: `${facts.portalUrl}/app`,
        badgeUrl: `${facts.portalUrl}/assets/svc-data-credit-v1.js`,
        badgeIntegrity: facts.creditBadgeIntegrity,
      },
      limits: {
        requestsPerHour: limits.requestsPerHour,
        requestsPerMinute: limits.requestsPerMinute,
        concurrentRequests: limits.concurrentRequests,
        certificateDays: certificateLimits.certificateLifetime / day,
        certificatesPerEnvironment: certificateLimits.certificatesPerClient,
        webhookEndpoints: webhookLimits.webhookEndpoints,
        corpusOrders: limits.corpusOrders,
        corpusVehicles: limits.corpusVehicles,
        pollingMinutes: limits.pollingIntervalSeconds / 60,
      },
      problems: machineProblems(),
    };
  }
}

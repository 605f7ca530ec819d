import { Field, ID, InputType, ObjectType } from 'type-graphql';
import type { HealthLevel } from '../../domain/attention/findings/findingTypes.ts';
import { integrationOrders } from '../../domain/administration/allIntegrations.ts';
import type { IntegrationStatus } from '../../domain/integration/integrationStatus.ts';
import { HealthCountType, HealthLevelEnum } from '../attention/attentionTypes.ts';
import { enumType } from '../enumType.ts';
import { IntegrationStatusEnum, IntegrationType } from '../integration/integrationTypes.ts';
import { connectionOf } from '../connection.ts';

export const IntegrationOrderEnum = enumType('IntegrationOrder', integrationOrders);

@ObjectType('AdministeredIntegration', { description: 'An integration as administrators see it, with its owner.' })
export class AdministeredIntegrationType {
  @Field(() => IntegrationType)
  integration!: IntegrationType;
}

@InputType()
export class IntegrationFilterInput {
  @Field(() => String, { nullable: true, description: 'Part of a name, slug or address, or any complete identifier.' })
  search?: string | null;
  @Field(() => IntegrationStatusEnum, { nullable: true })
  status?: IntegrationStatus | null;
  @Field(() => HealthLevelEnum, { nullable: true, description: 'As last judged: see healthTotals.' })
  health?: HealthLevel | null;
  @Field(() => ID, { nullable: true, description: 'Only those of this operator.' })
  operatorId?: string | null;
}

@ObjectType('AdministeredIntegrationConnection')
export class AdministeredIntegrationConnectionType extends connectionOf('AdministeredIntegration', () => AdministeredIntegrationType) {}

@ObjectType('HealthTotals', { description: 'How many integrations of all operators are of each health.' })
export class HealthTotalsType {
  @Field(() => Date, {
    nullable: true,
    description: 'When they were last judged, which is done every five minutes; null before the first time.',
  })
  judgedAt!: Date | null;
  @Field(() => [HealthCountType])
  counts!: readonly HealthCountType[];
}

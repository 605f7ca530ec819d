import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { integrationOrders } from '../../domain/administration/allIntegrations.ts';
import type { IntegrationStatus } from '../../domain/integration/integrationStatus.ts';
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
  @Field(() => ID, { nullable: true, description: 'Only those of this operator.' })
  operatorId?: string | null;
}

@ObjectType('AdministeredIntegrationConnection')
export class AdministeredIntegrationConnectionType extends connectionOf('AdministeredIntegration', () => AdministeredIntegrationType) {}

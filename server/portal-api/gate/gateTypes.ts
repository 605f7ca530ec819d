import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { productionStatuses } from '../../domain/integration/integrationFacts.ts';
import { enumType } from '../enumType.ts';
import { IntegrationType } from '../integration/integrationTypes.ts';
import { connectionOf } from '../connection.ts';

export const GatedStatusEnum = enumType('GatedStatus', productionStatuses, 'The statuses in which a gate has an effect.');

@InputType({ description: 'An administrator’s decision about a gate.' })
export class GateDecisionInput {
  @Field(() => ID, { nullable: true, description: 'The integration whose gate it is; if omitted, the service’s gate.' })
  integrationId?: string | null;
  @Field(() => String, { description: '1 to 500 characters; the owner sees it if it concerns one integration.' })
  reason!: string;
}

@ObjectType('GateChange', { description: 'One change of the service’s gate.' })
export class GateChangeType {
  @Field(() => ID)
  id!: string;
  @Field(() => Boolean)
  open!: boolean;
  @Field(() => String)
  reason!: string;
  @Field(() => Date)
  changedAt!: Date;
  @Field(() => ID, { description: 'The administrator, or `terminal`.' })
  changedBy!: string;
}

@ObjectType('GateChangeConnection')
export class GateChangeConnectionType extends connectionOf('GateChange', () => GateChangeType) {}

@ObjectType('ProductionIntegrationConnection')
export class ProductionIntegrationConnectionType extends connectionOf('ProductionIntegration', () => IntegrationType) {}

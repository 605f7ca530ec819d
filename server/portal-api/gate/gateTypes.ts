import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { gatedStatuses } from '../../domain/gate/productionIntegrations.ts';
import { enumType } from '../enumType.ts';
import { IntegrationType, PageInfoType } from '../integration/integrationTypes.ts';

export const GatedStatusEnum = enumType('GatedStatus', gatedStatuses, 'The statuses in which a gate has an effect.');

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

@ObjectType('GateChangeEdge')
class GateChangeEdgeType {
  @Field(() => String)
  cursor!: string;
  @Field(() => GateChangeType)
  node!: GateChangeType;
}

@ObjectType('GateChangeConnection')
export class GateChangeConnectionType {
  @Field(() => [GateChangeEdgeType])
  edges!: GateChangeEdgeType[];
  @Field(() => PageInfoType)
  pageInfo!: PageInfoType;
}

@ObjectType('ProductionIntegrationEdge')
class ProductionIntegrationEdgeType {
  @Field(() => String)
  cursor!: string;
  @Field(() => IntegrationType)
  node!: IntegrationType;
}

@ObjectType('ProductionIntegrationConnection')
export class ProductionIntegrationConnectionType {
  @Field(() => [ProductionIntegrationEdgeType])
  edges!: ProductionIntegrationEdgeType[];
  @Field(() => PageInfoType)
  pageInfo!: PageInfoType;
}

import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { serviceTokenOrders } from '../../domain/access/listServiceTokens.ts';
import { allServicePermissions, servicePermissions } from '../../domain/access/servicePermissions.ts';
import type { Environment } from '../../domain/shared/environment.ts';
import { connectionOf } from '../connection.ts';
import { enumType } from '../enumType.ts';
import { EnvironmentEnum } from '../integration/integrationTypes.ts';

const permissionList = allServicePermissions.map((name) => `- \`${name}\`: ${servicePermissions[name]}`).join('\n');

export const ServiceTokenOrderEnum = enumType(
  'ServiceTokenOrder',
  serviceTokenOrders,
  '`ending`: those that are valid now, in the order in which they expire.',
);

@ObjectType('ServiceToken', {
  description: 'What a program of the order-tracking service presents instead of a session. Its text is shown once, never again.',
})
export class ServiceTokenType {
  @Field(() => ID)
  id!: string;
  @Field(() => String, { description: 'The program that will use it.' })
  name!: string;
  @Field(() => EnvironmentEnum, { description: 'The only environment to which it gives access.' })
  environment!: Environment;
  @Field(() => [String], { description: permissionList })
  permissions!: string[];
  @Field(() => Date)
  createdAt!: Date;
  @Field(() => ID, { nullable: true, description: 'The administrator who created it; absent if it was created on the server’s terminal.' })
  createdBy?: string | null;
  @Field(() => Date, { description: 'When it expires; from then on it is refused.' })
  expiresAt!: Date;
  @Field(() => Date, { nullable: true, description: 'When it was last used, to the minute; absent if it never was.' })
  lastUsedAt?: Date | null;
  @Field(() => Date, { nullable: true })
  revokedAt?: Date | null;
}

@ObjectType('ServiceTokenConnection')
export class ServiceTokenConnectionType extends connectionOf('ServiceToken', () => ServiceTokenType) {}

@InputType()
export class CreateServiceTokenInput {
  @Field(() => String, { description: 'The program that will use it, 1 to 100 characters.' })
  name!: string;
  @Field(() => EnvironmentEnum)
  environment!: Environment;
  @Field(() => [String], { description: permissionList })
  permissions!: string[];
  @Field(() => Int, { nullable: true, description: '1 to 365; 365 if omitted.' })
  expiresInDays?: number | null;
}

@InputType()
export class RevokeServiceTokenInput {
  @Field(() => ID)
  serviceTokenId!: string;
}

@ObjectType()
export class CreateServiceTokenPayload {
  @Field(() => ServiceTokenType)
  serviceToken!: ServiceTokenType;
  @Field(() => String, { description: '`svct_…`, shown only once. Give it only to the program, and to nothing that logs or forwards it.' })
  token!: string;
}

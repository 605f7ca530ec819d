import { GraphQLJSON } from 'graphql-scalars';
import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { auditWays, type AuditWay } from '../../domain/audit/auditSql.ts';
import { enumType } from '../enumType.ts';
import { connectionOf } from '../connection.ts';

@ObjectType('AuditEntry', { description: 'One line of the append-only audit trail.' })
export class AuditEntryType {
  @Field(() => ID)
  id!: string;
  @Field(() => Date)
  occurredAt!: Date;
  @Field(() => String, { description: '`operator`, `service_token`, `client`, `system` or `anonymous`.' })
  actorType!: string;
  @Field(() => ID, { nullable: true, description: 'Owners do not see which member of staff or which program it was.' })
  actorId!: string | null;
  @Field(() => String, { description: 'Such as `integration.suspended`.' })
  action!: string;
  @Field(() => String)
  subjectType!: string;
  @Field(() => ID)
  subjectId!: string;
  @Field(() => ID, { nullable: true, description: 'Whose trail it belongs to.' })
  operatorId!: string | null;
  @Field(() => ID, { nullable: true })
  integrationId!: string | null;
  @Field(() => ID, { nullable: true })
  requestId!: string | null;
  @Field(() => String, { nullable: true, description: 'The address that the request came from.' })
  ip!: string | null;
  @Field(() => GraphQLJSON, { description: 'Never secrets, codes or personal data.' })
  details!: unknown;
}

@ObjectType('AuditExport')
export class AuditExportType {
  @Field(() => Int)
  entries!: number;
  @Field(() => [ID], { description: 'The identifiers that were given or that the search matches. Request the export file with these.' })
  identifiers!: readonly string[];
}

const AuditSearchEnum = enumType(
  'AuditSearch',
  auditWays,
  'What a search of the trail looks for: who did it, its subject, the integration, or whose trail it is.',
);

@InputType({ description: 'At most one of the identifiers or a search, plus an action and a time.' })
export class AuditFilterInput {
  @Field(() => ID, { nullable: true, description: 'Who did it. For administrators.' })
  actorId?: string | null;
  @Field(() => ID, { nullable: true, description: 'What it was done to. For administrators.' })
  subjectId?: string | null;
  @Field(() => ID, { nullable: true })
  integrationId?: string | null;
  @Field(() => ID, { nullable: true, description: 'Whose trail it is. For administrators.' })
  operatorId?: string | null;
  @Field(() => String, {
    nullable: true,
    description:
      'Part of a name, slug or address with its @, or a complete identifier; it may match at most 100 things. For administrators. Send it as a variable.',
  })
  search?: string | null;
  @Field(() => AuditSearchEnum, { nullable: true, description: 'Where to search; if omitted, among the subjects.' })
  searchIn?: AuditWay | null;
  @Field(() => String, { nullable: true })
  action?: string | null;
  @Field(() => Date, { nullable: true })
  from?: Date | null;
  @Field(() => Date, { nullable: true, description: 'The end of the period, exclusive.' })
  to?: Date | null;
}

@ObjectType('AuditEntryConnection')
export class AuditEntryConnectionType extends connectionOf('AuditEntry', () => AuditEntryType) {}

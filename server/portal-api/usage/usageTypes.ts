import { Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import { type QuotaName, quotaWindows } from '../../domain/client/quotas.ts';
import { statusClasses, type StatusClass } from '../../domain/usage/requestLog.ts';
import { usagePeriods } from '../../domain/usage/usage.ts';
import { enumType } from '../enumType.ts';
import { connectionOf } from '../connection.ts';

export const UsagePeriodEnum = enumType('UsagePeriod', usagePeriods, 'The last 24 hours or 7 days, including the current hour.');
const QuotaNameEnum = enumType(
  'QuotaName',
  quotaWindows.map(({ name }) => name),
  'The windows that admission counts in: a minute, and an hour for each class of calls.',
);
const StatusClassEnum = enumType('StatusClass', statusClasses, '2xx, 3xx, 4xx and 5xx; 499 means that the caller closed the connection.');

@ObjectType('UsageCount', { description: 'Requests of one operation with one status in one hour.' })
class UsageCountType {
  @Field(() => Date, { description: 'The beginning of the hour, UTC.' })
  hour!: Date;
  @Field(() => String, { description: 'The operation; `path` for a wrong method, `nothing` for no such path.' })
  operation!: string;
  @Field(() => Int)
  status!: number;
  @Field(() => Int)
  count!: number;
}

@ObjectType('QuotaLeft', { description: 'What is left of one quota now, over all certificates of the client.' })
class QuotaLeftType {
  @Field(() => QuotaNameEnum)
  name!: QuotaName;
  @Field(() => Int)
  limit!: number;
  @Field(() => Int)
  left!: number;
  @Field(() => Date, { nullable: true, description: 'When the current window ends; null if nothing has been counted.' })
  resetsAt!: Date | null;
  @Field(() => Boolean, { description: 'An approved override is in effect instead of the baseline.' })
  overridden!: boolean;
  @Field(() => Date, { nullable: true })
  overrideExpiresAt!: Date | null;
}

@ObjectType('Usage')
export class UsageType {
  @Field(() => Date, { description: 'The beginning of the first hour.' })
  from!: Date;
  @Field(() => Int, { description: 'How many hours, including the current one.' })
  hours!: number;
  @Field(() => [UsageCountType])
  counts!: readonly UsageCountType[];
  @Field(() => Int, { description: 'Calls of GET /v1/sync answered with 200 or 304.' })
  syncs!: number;
  @Field(() => Int, { description: 'How many of them were answered with 304.' })
  unchangedSyncs!: number;
  @Field(() => [QuotaLeftType])
  quotas!: readonly QuotaLeftType[];
  @Field(() => Date, { nullable: true, description: 'The last request with a certificate of this client, including refused ones.' })
  lastRequestAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'The last GET /v1/sync that was answered with 200 or 304.' })
  lastSyncAt!: Date | null;
}

@ObjectType('Request', { description: 'A request of the machine API; kept for 7 days.' })
export class RequestType {
  @Field(() => ID, { description: 'The response’s X-Request-Id.' })
  id!: string;
  @Field(() => Date)
  occurredAt!: Date;
  @Field(() => String)
  method!: string;
  @Field(() => String, { description: 'The operation; `path` for a wrong method, `nothing` for no such path.' })
  operation!: string;
  @Field(() => Int, { description: 'The response’s status; 499 if the caller closed the connection before it was complete.' })
  status!: number;
  @Field(() => String, { nullable: true, description: 'The problem’s code, explained at /problems/<code>.' })
  problem!: string | null;
  @Field(() => String, { nullable: true, description: 'The serial of the presented certificate, lower-case hexadecimal.' })
  serial!: string | null;
  @Field(() => Float, { description: 'Milliseconds from the first byte of the request to the end of the response.' })
  durationMs!: number;
}

@ObjectType('RequestConnection')
export class RequestConnectionType extends connectionOf('Request', () => RequestType) {}

@InputType()
export class RequestFilterInput {
  @Field(() => String, { nullable: true, description: 'Only this request.' })
  requestId?: string | null;
  @Field(() => StatusClassEnum, { nullable: true })
  statusClass?: StatusClass | null;
  @Field(() => String, { nullable: true, description: 'An operation’s name, such as getSync.' })
  operation?: string | null;
  @Field(() => Boolean, { nullable: true, description: 'Only requests with a status of 400 or higher.' })
  onlyProblems?: boolean | null;
}

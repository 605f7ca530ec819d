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

/** Of the hundreds on the home, each field would be resolved as if it had a permission and middleware of its own. */
@ObjectType('HourOfTraffic', { description: 'A client’s requests in one hour.', simpleResolvers: true })
export class HourOfTrafficType {
  @Field(() => Date, { description: 'The beginning of the hour, UTC.' })
  hour!: Date;
  @Field(() => Int)
  total!: number;
  @Field(() => Int, { description: 'Those that were refused or failed; 404, 410 and 499 are neither.' })
  failed!: number;
  @Field(() => Int, { description: 'Those of these that failed on the side of the service, with 5xx.' })
  broken!: number;
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
  @Field(() => Int, { nullable: true, description: 'Only answers with this status, such as 404.' })
  status?: number | null;
  @Field(() => String, { nullable: true, description: 'Only answers with the problem of this code, such as rate_limit_exceeded.' })
  problem?: string | null;
  @Field(() => String, { nullable: true, description: 'Only requests with the certificate of this serial, lower-case hexadecimal.' })
  serial?: string | null;
  @Field(() => Boolean, { nullable: true, description: 'Only requests with a status of 400 or higher.' })
  onlyProblems?: boolean | null;
  @Field(() => Date, { nullable: true, description: 'Only requests at this moment or later.' })
  from?: Date | null;
  @Field(() => Date, { nullable: true, description: 'Only requests before this moment.' })
  to?: Date | null;
}

@ObjectType('ErrorGroup', {
  description: 'A client’s refused and failed requests with one cause: the same problem, operation and certificate.',
})
export class ErrorGroupType {
  @Field(() => String, { description: 'Tells it apart from the client’s other groups, and stays the same while it grows.' })
  id!: string;
  @Field(() => String, { nullable: true, description: 'The problem’s code; null if the answer had none.' })
  problem!: string | null;
  @Field(() => Int)
  status!: number;
  @Field(() => String)
  operation!: string;
  @Field(() => String, { nullable: true, description: 'The serial of the presented certificate, lower-case hexadecimal.' })
  serial!: string | null;
  @Field(() => Int)
  count!: number;
  @Field(() => Boolean, { description: 'Whether there were more before `firstAt`: at most the last 5,000 requests are grouped.' })
  more!: boolean;
  @Field(() => Float, {
    nullable: true,
    description: 'Of all requests in the time, from 0 to 1; null if there were more than are counted.',
  })
  share!: number | null;
  @Field(() => Date)
  firstAt!: Date;
  @Field(() => Date)
  lastAt!: Date;
  @Field(() => Date, { nullable: true, description: 'When the operation was first answered after the last of them.' })
  answeredAt!: Date | null;
  @Field(() => Boolean, {
    description:
      'Whether it still happens, as far as is known. A group closes an hour after its last request once the operation has been answered again, and otherwise after a day.',
  })
  open!: boolean;
}

import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { WebhookEventType } from '../../domain/outbox/eventTypes.ts';
import { probeKinds, probeVerdicts, type ProbeKind, type ProbeVerdict } from '../../domain/webhook/receiver-check/probes.ts';
import { receiverCheckStates } from '../../domain/webhook/receiver-check/receiverChecks.ts';
import type { OutboundErrorKind } from '../../domain/webhook/WebhookTransport.ts';
import { enumType } from '../enumType.ts';
import { WebhookEventTypeEnum } from './webhookEndpointTypes.ts';

const ProbeKindEnum = enumType('ProbeKind', probeKinds);
const ProbeVerdictEnum = enumType(
  'ProbeVerdict',
  probeVerdicts,
  'Advice: nothing that the specification forbids. Not sent: the receiver could not be reached, or might be one of production.',
);
const ReceiverCheckStateEnum = enumType('ReceiverCheckState', receiverCheckStates);

@ObjectType('ProbeResult', { description: 'What a receiver did with one probe of a check.' })
export class ProbeResultType {
  @Field(() => ProbeKindEnum)
  kind!: ProbeKind;
  @Field(() => String, { description: 'What was sent, in words.' })
  title!: string;
  @Field(() => String, { description: 'What a receiver that follows the specification answers, and why.' })
  expectation!: string;
  @Field(() => Int, { nullable: true, description: 'The status that this one answered.' })
  status!: number | null;
  @Field(() => String, { nullable: true, description: 'What kept it from answering, such as `timeout`.' })
  error!: OutboundErrorKind | null;
  @Field(() => Int, { nullable: true })
  tookMs!: number | null;
  @Field(() => ProbeVerdictEnum)
  verdict!: ProbeVerdict;
  @Field(() => String, { nullable: true, description: 'What to mend, where something has to be.' })
  mend!: string | null;
}

@ObjectType('ReceiverCheck', {
  description: 'The last check of an endpoint’s receiver. While one is running, the results are those of the one before.',
})
export class ReceiverCheckType {
  @Field(() => ID)
  id!: string;
  @Field(() => ReceiverCheckStateEnum)
  state!: (typeof receiverCheckStates)[number];
  @Field(() => String, { nullable: true, description: 'Why it could not be made, in words.' })
  failure!: string | null;
  @Field(() => Date)
  requestedAt!: Date;
  @Field(() => Date, { nullable: true })
  finishedAt!: Date | null;
  @Field(() => Date, { nullable: true, description: 'When the results were found.' })
  probedAt!: Date | null;
  @Field(() => Boolean, {
    description: 'Whether every probe was answered as the specification demands. Only that of production may not have been sent.',
  })
  passed!: boolean;
  @Field(() => [ProbeResultType])
  probes!: readonly ProbeResultType[];
}

@InputType()
export class CheckReceiverInput {
  @Field(() => ID)
  endpointId!: string;
}

@InputType()
export class SendTestEventInput {
  @Field(() => ID)
  endpointId!: string;
  @Field(() => WebhookEventTypeEnum, { description: 'One that the endpoint subscribes to.' })
  type!: WebhookEventType;
}

@InputType()
export class RequestSignedSampleInput {
  @Field(() => ID)
  endpointId!: string;
  @Field(() => WebhookEventTypeEnum)
  type!: WebhookEventType;
  @Field(() => String, { description: 'On the reader’s own machine: localhost, 127.0.0.1 or [::1], with http or https.' })
  url!: string;
}

@ObjectType('SignedSample', { description: 'A delivery for a receiver on the reader’s own machine. It is kept for an hour.' })
export class SignedSampleType {
  @Field(() => ID)
  id!: string;
  @Field(() => WebhookEventTypeEnum)
  type!: WebhookEventType;
  @Field(() => String)
  url!: string;
  @Field(() => String, { nullable: true, description: 'The request as a curl command. Null until a worker has signed it.' })
  command!: string | null;
}

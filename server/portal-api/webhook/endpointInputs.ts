import { Field, ID, InputType } from 'type-graphql';
import type { Environment } from '../../domain/shared/environment.ts';
import type { PayloadMode } from '../../domain/webhook/endpoint/WebhookEndpoint.ts';
import type { WebhookEventType } from '../../domain/outbox/eventTypes.ts';
import { EnvironmentEnum } from '../integration/integrationTypes.ts';
import { PayloadModeEnum, WebhookEventTypeEnum } from './webhookEndpointTypes.ts';

@InputType()
export class RegisterWebhookEndpointInput {
  @Field(() => ID)
  integrationId!: string;
  @Field(() => EnvironmentEnum)
  environment!: Environment;
  @Field(() => String, {
    description:
      'An absolute https URL with a lower-case public host name, without user name, password or fragment, on port 443: at most 2,048 printable ASCII characters. It is kept, signed and sent exactly as given.',
  })
  url!: string;
  @Field(() => PayloadModeEnum)
  payloadMode!: PayloadMode;
  @Field(() => [WebhookEventTypeEnum], { description: 'At least one.' })
  eventTypes!: WebhookEventType[];
  @Field(() => String, { description: 'At most 200 characters on one line, or none.' })
  description!: string;
}

@InputType({ description: 'What is absent stays as it is. Another URL or environment has to be proven.' })
export class ReviseWebhookEndpointInput {
  @Field(() => ID)
  endpointId!: string;
  @Field(() => String, { nullable: true })
  url?: string | null;
  @Field(() => EnvironmentEnum, { nullable: true })
  environment?: Environment | null;
  @Field(() => PayloadModeEnum, { nullable: true })
  payloadMode?: PayloadMode | null;
  @Field(() => [WebhookEventTypeEnum], { nullable: true })
  eventTypes?: WebhookEventType[] | null;
  @Field(() => String, { nullable: true })
  description?: string | null;
}

@InputType()
export class PauseWebhookEndpointInput {
  @Field(() => ID)
  endpointId!: string;
}

@InputType()
export class ResumeWebhookEndpointInput {
  @Field(() => ID)
  endpointId!: string;
}

@InputType()
export class RemoveWebhookEndpointInput {
  @Field(() => ID)
  endpointId!: string;
}

import { Field, Int, ObjectType } from 'type-graphql';
import type { ErrorCode } from '../../domain/shared/errorCatalogue.ts';
import { AttentionItemType } from '../attention/attentionTypes.ts';

@ObjectType('ServiceAttention', { description: 'What the service as a whole needs of its administrators.' })
class ServiceAttentionType {
  @Field(() => Date)
  checkedAt!: Date;
  @Field(() => [AttentionItemType], {
    description:
      'The most urgent first; before that what could not be read, if anything. None: everything was read, and nothing needs anybody.',
  })
  items!: readonly AttentionItemType[];
}

@ObjectType('RefusalsOfService', { description: 'Why requests of the last 24 hours were refused.' })
export class RefusalsOfServiceType {
  @Field(() => String, { description: 'The problem’s code.' })
  problem!: ErrorCode;
  @Field(() => Int)
  requests!: number;
  @Field(() => Boolean, { description: 'Whether there may be more: of each client, only the latest are read.' })
  more!: boolean;
  @Field(() => Int, { description: 'How many integrations they came from.' })
  integrations!: number;
}

@ObjectType('AdministratorsHome', {
  description: 'How the service is. Each part is read by itself: below the first, one that cannot be read is null.',
})
export class AdministratorsHomeType {
  @Field(() => ServiceAttentionType)
  attention!: ServiceAttentionType;
}

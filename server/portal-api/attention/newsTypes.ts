import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { NamedIntegrationType } from '../account/accountSettingsTypes.ts';
import { connectionOf } from '../connection.ts';

@ObjectType('NewsFact')
class NewsFactType {
  @Field(() => String)
  name!: string;
  @Field(() => String)
  value!: string;
}

@ObjectType('NewsAction', { description: 'Where to read more, as a path of the portal.' })
class NewsActionType {
  @Field(() => String)
  label!: string;
  @Field(() => String)
  path!: string;
}

@ObjectType('NewsItem', {
  description: 'Something that the viewer was told, by mail or, where they have switched the mail off, only here.',
})
class NewsItemType {
  @Field(() => ID)
  id!: string;
  @Field(() => Date)
  at!: Date;
  @Field(() => Boolean)
  read!: boolean;
  @Field(() => Boolean, { description: 'Whether what it asked for is done, or needs nobody any more.' })
  settled!: boolean;
  @Field(() => String)
  title!: string;
  @Field(() => String)
  text!: string;
  @Field(() => [NewsFactType])
  facts!: readonly NewsFactType[];
  @Field(() => NewsActionType, { nullable: true })
  action!: NewsActionType | null;
  @Field(() => NamedIntegrationType, { nullable: true, description: 'The integration that it is about, if it is the viewer’s.' })
  integration!: NamedIntegrationType | null;
}

@ObjectType('NewsConnection')
export class NewsConnectionType extends connectionOf('NewsItem', () => NewsItemType) {}

@InputType()
export class MarkNewsReadInput {
  @Field(() => ID)
  id!: string;
}

@InputType()
export class MarkAllNewsReadInput {
  @Field(() => Date, { description: 'The time of the newest that the viewer has seen. What has come since stays new.' })
  until!: Date;
}

import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { connectionOf } from '../connection.ts';
import { longText } from '../fieldCosts.ts';

@ObjectType('Terms', { description: 'A published version of the Integration Terms.' })
export class TermsType {
  @Field(() => Int)
  version!: number;
  @Field(() => String)
  title!: string;
  @Field(() => String, { complexity: longText })
  markdown!: string;
  @Field(() => Date)
  publishedAt!: Date;
}

@ObjectType('PublishedTerms', { description: 'A version in the administrators’ list.' })
export class PublishedTermsType {
  @Field(() => Int)
  version!: number;
  @Field(() => String)
  title!: string;
  @Field(() => Date)
  publishedAt!: Date;
  @Field(() => ID, { nullable: true, description: 'The administrator; null for the version that the service came with.' })
  publishedBy?: string | null;
}

@ObjectType('TermsConnection')
export class TermsConnectionType extends connectionOf('Terms', () => PublishedTermsType) {}

@ObjectType('TermsAcceptance', { description: 'An explicit acceptance of one version; it never counts for a later one.' })
export class TermsAcceptanceType {
  @Field(() => Int)
  termsVersion!: number;
  @Field(() => Date)
  acceptedAt!: Date;
  // It is deleted only with the account, so it is never null for anybody who can ask.
  @Field(() => String, { description: 'The address that it came from.' })
  ip?: string | null;
}

@InputType()
export class PublishTermsInput {
  @Field(() => String, { description: '1 to 120 characters.' })
  title!: string;
  @Field(() => String, { description: 'Markdown, at most 40,000 characters.' })
  markdown!: string;
  @Field(() => Int, { description: 'The version that this one follows. If another one has become current, nothing is published.' })
  replaces!: number;
}

import { Field, ID, Int, ObjectType } from 'type-graphql';
import { connectionOf } from '../connection.ts';

@ObjectType('CatalogueEntry', {
  description: 'An active integration, as reviewed; what may change after the review is current.',
})
export class CatalogueEntryType {
  @Field(() => ID)
  id!: string;
  @Field(() => String)
  slug!: string;
  @Field(() => Int, { description: 'The reviewed version; a user who links consents to it.' })
  profileVersion!: number;
  @Field(() => String)
  publicName!: string;
  @Field(() => String)
  publicDescription!: string;
  @Field(() => String)
  purpose!: string;
  @Field(() => String, { description: 'Who operates it.' })
  legalOperatorName!: string;
  @Field(() => String, { description: 'ISO 3166-1 alpha-2' })
  country!: string;
  @Field(() => String)
  supportEmail!: string;
  @Field(() => String)
  websiteUrl!: string;
  @Field(() => String)
  privacyPolicyUrl!: string;
  @Field(() => String)
  termsOfServiceUrl!: string;
  @Field(() => String, { description: 'Where the user enters the link code.' })
  orderLinkingUrl!: string;
  @Field(() => String, { nullable: true })
  donationUrl!: string | null;
  @Field(() => [String], { description: 'The scopes that it can be given; show the user what each of them grants.' })
  scopes!: readonly string[];
  /** The logo's own fields are resolved from it. */
  logoId!: string | null;
}

@ObjectType('CatalogueConnection')
export class CatalogueConnectionType extends connectionOf('Catalogue', () => CatalogueEntryType) {}

import { Field, ID, ObjectType } from 'type-graphql';
import type { FindResult } from '../../domain/search/find.ts';
import { searchHitKinds, searchHitViews, type SearchHit } from '../../domain/search/searchHit.ts';
import type { NoHits } from '../../domain/search/noHits.ts';
import type { Environment } from '../../domain/shared/environment.ts';
import { NamedIntegrationType } from '../account/accountSettingsTypes.ts';
import { enumType } from '../enumType.ts';
import { severalOf } from '../fieldCosts.ts';
import { EnvironmentEnum } from '../integration/integrationTypes.ts';

const FoundKindEnum = enumType('FoundKind', searchHitKinds);
const FoundViewEnum = enumType('FoundView', searchHitViews, 'As whom the viewer sees it, and so whose page it leads to.');

@ObjectType('Found', { description: 'Something that a text names and the viewer may see.' })
class FoundType implements SearchHit {
  @Field(() => FoundKindEnum)
  kind!: SearchHit['kind'];
  @Field(() => ID)
  id!: string;
  @Field(() => FoundViewEnum)
  view!: SearchHit['view'];
  @Field(() => String, { nullable: true, description: 'What it is called, if it has a name beside its ID.' })
  name!: string | null;
  @Field(() => EnvironmentEnum, { nullable: true })
  environment!: Environment | null;
  @Field(() => String, { nullable: true, description: 'The status or state that its kind has now, or the status of a request’s response.' })
  state!: string | null;
  @Field(() => NamedIntegrationType, { nullable: true, description: 'The integration that it belongs to.' })
  integration!: SearchHit['integration'];
  @Field(() => ID, { nullable: true, description: 'The endpoint of a delivery.' })
  endpointId!: string | null;
  @Field(() => ID, { nullable: true, description: 'The newest submission of an integration.' })
  submissionId!: string | null;
}

@ObjectType('Unfound', { description: 'What to say where nothing was found. It depends on the text alone.' })
class UnfoundType implements NoHits {
  @Field(() => String)
  title!: string;
  @Field(() => String)
  text!: string;
}

@ObjectType('FindResult')
export class FindResultType implements FindResult {
  @Field(() => [FoundType], { description: 'Best first, at most eight of a kind.', complexity: severalOf })
  found!: readonly SearchHit[];
  @Field(() => UnfoundType, { nullable: true, description: 'Absent where something was found.' })
  unfound!: NoHits | null;
}

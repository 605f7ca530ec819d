import { Arg, Field, FieldResolver, ObjectType, Query, Resolver, Root } from 'type-graphql';
import type { ProfileVersion } from '../../domain/integration/profile/ProfileVersion.ts';
import { scopesRefusal, scopeWarnings } from '../../domain/integration/profile/scopeRules.ts';
import { ProfileVersionType } from './integrationTypes.ts';

@ObjectType('ScopeAdvice', { description: 'What the owner of a profile with these scopes would be told.' })
class ScopeAdviceType {
  @Field(() => String, { nullable: true, description: 'Why they are refused, in words; absent if they can be requested.' })
  refusal!: string | null;
  @Field(() => [String], { description: 'What to consider before requesting them.' })
  warnings!: readonly string[];
}

/** The rules for sets of scopes, for people who choose or review one. */
@Resolver(() => ProfileVersionType)
export class ScopeResolver {
  @Query(() => ScopeAdviceType, { description: 'What to know about a set of scopes before requesting it.' })
  scopeAdvice(@Arg('scopes', () => [String]) scopes: string[]): ScopeAdviceType {
    const refusal = scopesRefusal(scopes);
    return { refusal, warnings: refusal === null ? scopeWarnings(scopes) : [] };
  }

  @FieldResolver(() => [String], { description: 'What the owner and reviewers should know about the requested scopes; usually empty.' })
  scopeWarnings(@Root() { requestedScopes }: ProfileVersion): readonly string[] {
    return scopeWarnings(requestedScopes);
  }
}

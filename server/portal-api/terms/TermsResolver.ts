import { Arg, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { currentTerms, termsAcceptances, termsToAccept } from '../../domain/integration/terms/acceptTerms.ts';
import { listTerms } from '../../domain/integration/terms/listTerms.ts';
import { publishTerms } from '../../domain/integration/terms/publishTerms.ts';
import { TermsVersion } from '../../domain/integration/terms/TermsVersion.ts';
import { DomainError } from '../../domain/shared/DomainError.ts';
import { ViewerType } from '../account/accountTypes.ts';
import { After, type AfterCursor, First } from '../connection.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { PublishTermsInput, TermsAcceptanceType, TermsConnectionType, TermsType } from './termsTypes.ts';

@Resolver(() => ViewerType)
export class TermsResolver {
  @Query(() => TermsType)
  currentTerms(@Ctx() { em }: PortalContext): Promise<TermsType> {
    return currentTerms(em);
  }

  @Query(() => TermsType)
  async terms(@Arg('version', () => Int) version: number, @Ctx() { em }: PortalContext): Promise<TermsType> {
    const terms = await em.findOne(TermsVersion, { version });
    if (!terms) throw new DomainError('not_found', { detail: `There is no version ${version} of the Integration Terms.` });
    return terms;
  }

  @Query(() => TermsConnectionType, { description: 'For administrators: every version, newest first.' })
  async termsVersions(@First() first: number, @After() after: AfterCursor, @Ctx() { em }: PortalContext): Promise<TermsConnectionType> {
    return listTerms(em, { first, after });
  }

  @FieldResolver(() => [TermsAcceptanceType], { description: 'The operator’s own acceptances, the newest version first.' })
  async termsAcceptances(@Root() { operatorId }: ViewerType, @Ctx() { em }: PortalContext): Promise<TermsAcceptanceType[]> {
    return operatorId === null ? [] : termsAcceptances(em, operatorId);
  }

  @FieldResolver(() => Int, {
    nullable: true,
    description:
      'The current version, if the operator has accepted only an earlier one. Until then, the operator cannot create, submit or activate an integration.',
  })
  async termsToAccept(@Root() { operatorId }: ViewerType, @Ctx() { em }: PortalContext): Promise<number | null> {
    return operatorId === null ? null : termsToAccept(em, operatorId);
  }

  @Mutation(() => TermsType, {
    description: 'For administrators: makes a new version current at once. Every operator must accept it.',
  })
  publishTerms(@Arg('input', () => PublishTermsInput) input: PublishTermsInput, @Ctx() context: PortalContext): Promise<TermsType> {
    return publishTerms(context.em, { actor: actorOf(context), input, now: context.clock.now() });
  }
}

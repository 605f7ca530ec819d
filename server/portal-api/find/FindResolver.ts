import { Arg, Ctx, Query, Resolver } from 'type-graphql';
import { find, type FindResult } from '../../domain/search/find.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { FindResultType } from './findTypes.ts';

@Resolver()
export class FindResolver {
  @Query(() => FindResultType, {
    description:
      'Everything that a text names and the viewer may see: things by ID (whole, or from eight characters after the prefix on), certificates by serial, fingerprint and common name, integrations by slug and name, and for administrators accounts by address. At most 600 searches in 15 minutes.',
  })
  find(
    @Arg('text', () => String, { description: 'At most 254 characters.' }) text: string,
    @Ctx() context: PortalContext,
  ): Promise<FindResult> {
    return find(context.em, { reader: actorOf(context), text, now: context.clock.now() });
  }
}

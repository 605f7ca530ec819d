import { Arg, Ctx, Int, Query, Resolver } from 'type-graphql';
import { catalogue, catalogueCursor } from '../../domain/integration/catalogue.ts';
import { toolingOf, type PortalContext } from '../context.ts';
import { CatalogueConnectionType } from './catalogueTypes.ts';

@Resolver()
export class CatalogueResolver {
  @Query(() => CatalogueConnectionType, {
    description: 'Tooling, `catalogue.read`: the active integrations that users of the token’s environment can link, by slug.',
  })
  async catalogue(
    @Arg('first', () => Int, { defaultValue: 20, description: 'At most 100.' }) first: number,
    @Arg('after', () => String, { nullable: true }) after: string | null | undefined,
    @Ctx() context: PortalContext,
  ): Promise<CatalogueConnectionType> {
    const { items, hasNextPage } = await catalogue(context.em, {
      environment: toolingOf(context).environment,
      first,
      after: after ?? null,
    });
    const edges = items.map((node) => ({ cursor: catalogueCursor(node), node }));
    return { edges, pageInfo: { hasNextPage, endCursor: edges.at(-1)?.cursor ?? null } };
  }
}

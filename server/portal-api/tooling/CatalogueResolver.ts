import { Ctx, Query, Resolver } from 'type-graphql';
import { catalogue } from '../../domain/integration/profile/catalogue.ts';
import { After, type AfterCursor, First } from '../connection.ts';
import { toolingOf, type PortalContext } from '../context.ts';
import { CatalogueConnectionType } from './catalogueTypes.ts';

@Resolver()
export class CatalogueResolver {
  @Query(() => CatalogueConnectionType, {
    description: 'Tooling, `catalogue.read`: the active integrations that users of the token’s environment can link, by slug.',
  })
  async catalogue(@First() first: number, @After() after: AfterCursor, @Ctx() context: PortalContext): Promise<CatalogueConnectionType> {
    return catalogue(context.em, {
      environment: toolingOf(context).environment,
      first,
      after,
    });
  }
}

import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import { createServiceToken } from '../../domain/access/createServiceToken.ts';
import { listServiceTokens, serviceTokenCursor } from '../../domain/access/listServiceTokens.ts';
import { revokeServiceToken } from '../../domain/access/revokeServiceToken.ts';
import { actorOf, type PortalContext } from '../context.ts';
import {
  CreateServiceTokenInput,
  CreateServiceTokenPayload,
  RevokeServiceTokenInput,
  ServiceTokenConnectionType,
  ServiceTokenType,
} from './serviceTokenTypes.ts';

@Resolver()
export class ServiceTokenResolver {
  @Query(() => ServiceTokenConnectionType, { description: 'For administrators: all service tokens, newest first, ended ones included.' })
  async serviceTokens(
    @Arg('first', () => Int, { defaultValue: 20 }) first: number,
    @Arg('after', () => String, { nullable: true }) after: string | null | undefined,
    @Ctx() { em }: PortalContext,
  ): Promise<ServiceTokenConnectionType> {
    const { items, hasNextPage } = await listServiceTokens(em, { first, after: after ?? null });
    const edges = items.map((node) => ({ cursor: serviceTokenCursor(node), node }));
    return { edges, pageInfo: { hasNextPage, endCursor: edges.at(-1)?.cursor ?? null } };
  }

  @Mutation(() => CreateServiceTokenPayload, { description: 'For administrators: makes a service token and shows its text, this once.' })
  createServiceToken(
    @Arg('input', () => CreateServiceTokenInput) input: CreateServiceTokenInput,
    @Ctx() context: PortalContext,
  ): Promise<CreateServiceTokenPayload> {
    return createServiceToken(context.em, { actor: actorOf(context), input, now: context.clock.now() });
  }

  @Mutation(() => ServiceTokenType, { description: 'For administrators: ends a service token at once. Revoking it again changes nothing.' })
  revokeServiceToken(
    @Arg('input', () => RevokeServiceTokenInput) { serviceTokenId }: RevokeServiceTokenInput,
    @Ctx() context: PortalContext,
  ): Promise<ServiceTokenType> {
    return revokeServiceToken(context.em, { actor: actorOf(context), serviceTokenId, now: context.clock.now() });
  }
}

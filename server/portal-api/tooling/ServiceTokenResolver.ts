import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { createServiceToken } from '../../domain/access/createServiceToken.ts';
import { listServiceTokens, type ServiceTokenOrder } from '../../domain/access/listServiceTokens.ts';
import { revokeServiceToken } from '../../domain/access/revokeServiceToken.ts';
import type { Environment } from '../../domain/shared/environment.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { EnvironmentEnum } from '../integration/integrationTypes.ts';
import {
  CreateServiceTokenInput,
  CreateServiceTokenPayload,
  RevokeServiceTokenInput,
  ServiceTokenConnectionType,
  ServiceTokenOrderEnum,
  ServiceTokenType,
} from './serviceTokenTypes.ts';
import { After, type AfterCursor, First } from '../connection.ts';

@Resolver()
export class ServiceTokenResolver {
  @Query(() => ServiceTokenConnectionType, { description: 'For administrators: the service tokens.' })
  async serviceTokens(
    @Arg('environment', () => EnvironmentEnum, { nullable: true }) environment: Environment | null | undefined,
    @Arg('search', () => String, { nullable: true, description: 'Part of the name, or a complete ID.' }) search: string | null | undefined,
    @Arg('order', () => ServiceTokenOrderEnum, { defaultValue: 'newest' }) order: ServiceTokenOrder,
    @First() first: number,
    @After() after: AfterCursor,
    @Ctx() { em, clock }: PortalContext,
  ): Promise<ServiceTokenConnectionType> {
    const now = clock.now();
    return listServiceTokens(em, {
      environment: environment ?? null,
      order,
      search: search ?? null,
      first,
      after,
      now,
    });
  }

  @Mutation(() => CreateServiceTokenPayload, {
    description: 'For administrators: creates a service token and shows its text, only this once.',
  })
  createServiceToken(
    @Arg('input', () => CreateServiceTokenInput) input: CreateServiceTokenInput,
    @Ctx() context: PortalContext,
  ): Promise<CreateServiceTokenPayload> {
    return createServiceToken(context.em, { actor: actorOf(context), input, now: context.clock.now() });
  }

  @Mutation(() => ServiceTokenType, {
    description: 'For administrators: revokes a service token at once. Revoking it again changes nothing.',
  })
  revokeServiceToken(
    @Arg('input', () => RevokeServiceTokenInput) { serviceTokenId }: RevokeServiceTokenInput,
    @Ctx() context: PortalContext,
  ): Promise<ServiceTokenType> {
    return revokeServiceToken(context.em, { actor: actorOf(context), serviceTokenId, now: context.clock.now() });
  }
}

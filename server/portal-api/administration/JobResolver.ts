import { Arg, Ctx, Int, Mutation, Query, Resolver } from 'type-graphql';
import type { AgeOrder } from '../../domain/administration/ageOrder.ts';
import { failedJobs, jobCursor } from '../../domain/administration/failedJobs.ts';
import { retryJob } from '../../domain/administration/retryJob.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { AgeOrderEnum, FailedJobConnectionType, FailedJobFilterInput, FailedJobType, RetryJobInput } from './jobTypes.ts';

@Resolver()
export class JobResolver {
  @Query(() => FailedJobConnectionType, { description: 'For administrators: jobs that have failed and are not done.' })
  async failedJobs(
    @Arg('filter', () => FailedJobFilterInput, { nullable: true }) filter: FailedJobFilterInput | null | undefined,
    @Arg('order', () => AgeOrderEnum, { defaultValue: 'newest' }) order: AgeOrder,
    @Arg('first', () => Int, { defaultValue: 50 }) first: number,
    @Arg('after', () => String, { nullable: true }) after: string | null | undefined,
    @Ctx() { em }: PortalContext,
  ): Promise<FailedJobConnectionType> {
    const { items, hasNextPage } = await failedJobs(em, { filter: filter ?? {}, order, first, after: after ?? null });
    const edges = items.map((node) => ({ cursor: jobCursor(node), node }));
    return { edges, pageInfo: { hasNextPage, endCursor: edges.at(-1)?.cursor ?? null } };
  }

  @Mutation(() => FailedJobType, { description: 'For administrators: runs a failed job again now, with all its attempts.' })
  retryJob(@Arg('input', () => RetryJobInput) { jobId }: RetryJobInput, @Ctx() context: PortalContext): Promise<FailedJobType> {
    return retryJob(context.em, { actor: actorOf(context), jobId, now: context.clock.now() });
  }
}

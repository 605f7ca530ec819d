import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { AgeOrder } from '../../domain/administration/ageOrder.ts';
import { failedJobs } from '../../domain/administration/failedJobs.ts';
import { retryJob } from '../../domain/administration/retryJob.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { AgeOrderEnum, FailedJobConnectionType, FailedJobFilterInput, FailedJobType, RetryJobInput } from './jobTypes.ts';
import { After, type AfterCursor, First } from '../connection.ts';

@Resolver()
export class JobResolver {
  @Query(() => FailedJobConnectionType, { description: 'For administrators: jobs that have failed and are not done.' })
  async failedJobs(
    @Arg('filter', () => FailedJobFilterInput, { nullable: true }) filter: FailedJobFilterInput | null | undefined,
    @Arg('order', () => AgeOrderEnum, { defaultValue: 'newest' }) order: AgeOrder,
    @First(50) first: number,
    @After() after: AfterCursor,
    @Ctx() { em }: PortalContext,
  ): Promise<FailedJobConnectionType> {
    return failedJobs(em, { filter: filter ?? {}, order, first, after });
  }

  @Mutation(() => FailedJobType, { description: 'For administrators: runs a failed job again now, with all its attempts.' })
  retryJob(@Arg('input', () => RetryJobInput) { jobId }: RetryJobInput, @Ctx() context: PortalContext): Promise<FailedJobType> {
    return retryJob(context.em, { actor: actorOf(context), jobId, now: context.clock.now() });
  }
}

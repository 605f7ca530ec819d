import { Arg, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { currentNews, unreadCount } from '../../domain/attention/currentNews.ts';
import { markAllNewsRead, markNewsRead } from '../../domain/notification/markNewsRead.ts';
import { limits } from '../../domain/shared/limits.ts';
import { ViewerType } from '../account/accountTypes.ts';
import { After, type AfterCursor, First } from '../connection.ts';
import { actorOf, type PortalContext } from '../context.ts';
import { MarkAllNewsReadInput, MarkNewsReadInput, NewsConnectionType } from './newsTypes.ts';

/** What the viewer was told, with a mark for what they have read. */
@Resolver(() => ViewerType)
export class NewsResolver {
  @Query(() => NewsConnectionType, { description: 'What the viewer was told in the last 90 days, newest first.' })
  async news(
    @Arg('unread', () => Boolean, { defaultValue: false, description: 'Only what is neither marked as read nor settled.' }) unread: boolean,
    @First() first: number,
    @After() after: AfterCursor,
    @Ctx() context: PortalContext,
  ): Promise<NewsConnectionType> {
    const { operatorId, roles } = actorOf(context);
    const { em, facts } = context;
    return currentNews(em, { operatorId, roles, unread, contact: facts.supportContact.text, first, after, ...asOfNow(context) });
  }

  @FieldResolver(() => Int, { description: 'How many of the newest 100 unread news are not settled.' })
  unreadNews(@Root() { operatorId, roles }: ViewerType, @Ctx() context: PortalContext): Promise<number> | number {
    return operatorId === null ? 0 : unreadCount(context.em, { operatorId, roles, most: limits.pageSize, ...asOfNow(context) });
  }

  @Mutation(() => Boolean, { description: 'Marks one of the viewer’s news as read.' })
  async markNewsRead(@Arg('input', () => MarkNewsReadInput) { id }: MarkNewsReadInput, @Ctx() context: PortalContext): Promise<boolean> {
    await markNewsRead(context.em, { operatorId: actorOf(context).operatorId, id, now: context.clock.now() });
    return true;
  }

  @Mutation(() => Boolean, { description: 'Marks all of the viewer’s news up to a moment as read.' })
  async markAllNewsRead(
    @Arg('input', () => MarkAllNewsReadInput) { until }: MarkAllNewsReadInput,
    @Ctx() context: PortalContext,
  ): Promise<boolean> {
    await markAllNewsRead(context.em, { operatorId: actorOf(context).operatorId, until, now: context.clock.now() });
    return true;
  }
}

function asOfNow({ clock, loaders }: PortalContext) {
  const now = clock.now();
  return { now, factsOf: (ids: readonly string[]) => Promise.all(ids.map((id) => loaders.attentionFacts.load({ id, now }))) };
}

import { takeLock } from '../shared/locks.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import type { ServiceTokenActor } from '../shared/actor.ts';
import type { Environment } from '../shared/environment.ts';
import type { Scope } from '../shared/scopes.ts';
import { sql } from '../shared/sql.ts';
import {
  orderStatistics,
  type OrderStatistics,
  type StatisticsBasis,
  type StatisticsGroup,
  type StatisticsRow,
} from './orderStatistics.ts';
import { formerGenerationSql, lockPublicationsSql, statisticsRowsSql } from './publishStatisticsGeneration.sql.ts';
import { statisticsPeriod, storeGeneration } from './storeGeneration.ts';

type Publication = {
  readonly clientNumber: number;
  readonly now: Date;
  readonly tooling?: { readonly actor: ServiceTokenActor; readonly integrationId: string; readonly operatorId: string };
};
type PublishingClient = { readonly scopes: readonly Scope[]; readonly environment: Environment };
type Former = { readonly published_at: Date; readonly groups: string; readonly basis: string };

/**
 * Publishes the next statistics generation of a client over its own users who take part (docs/specification.md, “Statistics”), with its
 * event, in the caller's transaction or one of its own. Null when the client has no statistics.orders.read; a generation without any group
 * is published, for it is true. Users stand in the stored basis as the lower-case hex of `user_ref`: erasing a user locks the
 * client's row, as this does, and replaces that key by a random one. With `tooling` the audit trail says who did it; the sandbox page
 * writes a line of its own. Errors: conflict (larger than 2 MiB).
 */
export function publishStatisticsGeneration(
  em: EntityManager,
  publication: Publication,
): Promise<{ readonly generationId: string } | null> {
  return em.isInTransaction() ? publish(em, publication) : em.transactional((tx) => publish(tx, publication));
}

async function publish(tx: EntityManager, { clientNumber, now, tooling }: Publication): Promise<{ generationId: string } | null> {
  const [client] = await takeLock<PublishingClient>(tx, lockPublicationsSql, [clientNumber]);
  if (!client?.scopes.includes('statistics.orders.read')) return null;
  const [former] = await sql<Former>(tx, formerGenerationSql, [clientNumber]);
  const statistics =
    former && hasFixedStatistics(client)
      ? parse(former)
      : orderStatistics(
          await sql<StatisticsRow>(tx, statisticsRowsSql, [clientNumber, statisticsPeriod(now).from]),
          former && parse(former),
        );
  // The latest is found by its time: two publications of one millisecond still follow each other.
  const publishedAt = new Date(Math.max(now.getTime(), (former?.published_at.getTime() ?? 0) + 1));
  const published = await storeGeneration(tx, { clientNumber, statistics, now: publishedAt });
  if (tooling) {
    const { actor, integrationId, operatorId } = tooling;
    const subject = { type: 'statistics_generation', id: published.generationId };
    await record(tx, actor, now, { action: 'statistics.published', subject, operatorId, integrationId });
  }
  return published;
}

/** A sandbox that may read no orders holds none: its test users stand in the generation alone, so the next one repeats it. */
function hasFixedStatistics({ environment, scopes }: PublishingClient): boolean {
  return environment === 'sandbox' && !scopes.includes('orders.read');
}

function parse({ groups, basis }: Former): OrderStatistics {
  return { groups: JSON.parse(groups) as StatisticsGroup[], basis: JSON.parse(basis) as StatisticsBasis };
}

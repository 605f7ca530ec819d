import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../../audit/record.ts';
import type { OperatorActor } from '../../shared/actor.ts';
import { DomainError } from '../../shared/DomainError.ts';
import { sql } from '../../shared/sql.ts';
import { latestGenerations } from '../../statistics/latestGeneration.sql.ts';
import type { StatisticsGroup } from '../../statistics/orderStatistics.ts';
import { publishStatisticsGeneration } from '../../statistics/publishStatisticsGeneration.ts';
import { ownLiveSandbox } from '../ownSandbox.ts';
import { countSandboxAction } from './countSandboxAction.ts';

/** A generation that has just been published: its groups, and how many of them have changed or disappeared since the one before. */
type SandboxStatistics = { readonly generationId: string; readonly groupCount: number; readonly alteredCount: number };

const lastTwoSql = latestGenerations('groups', '$1', 2);

/**
 * Publishes a statistics generation over a sandbox's test users. The threshold of twenty applies here, too. Errors: not_found, conflict.
 */
export function publishSandboxStatistics(
  em: EntityManager,
  { actor, clientId, now }: { actor: OperatorActor; clientId: string; now: Date },
): Promise<SandboxStatistics> {
  return em.transactional(async (tx) => {
    const client = await ownLiveSandbox(tx, actor, clientId);
    await countSandboxAction(tx, client.number, now);
    const published = await publishStatisticsGeneration(tx, { clientNumber: client.number, now });
    if (!published) {
      throw new DomainError('conflict', {
        detail: 'This integration does not have the scope statistics.orders.read, so it has no statistics.',
      });
    }
    await record(tx, actor, now, {
      action: 'sandbox_statistics.published',
      subject: { type: 'statistics_generation', id: published.generationId },
      integrationId: client.integrationId,
    });
    const [latest, former] = await sql<{ groups: string }>(tx, lastTwoSql, [client.number]);
    return { ...published, ...compare(groupsOf(latest), groupsOf(former)) };
  });
}

function groupsOf(row: { groups: string } | undefined): Map<string, string> {
  const groups = JSON.parse(row?.groups ?? '[]') as StatisticsGroup[];
  return new Map(groups.map((group) => [JSON.stringify([group.market, group.model, group.status]), JSON.stringify(group)]));
}

function compare(latest: ReadonlyMap<string, string>, former: ReadonlyMap<string, string>) {
  const keys = [...new Set([...latest.keys(), ...former.keys()])];
  return { groupCount: latest.size, alteredCount: keys.filter((key) => latest.get(key) !== former.get(key)).length };
}

import type { EntityManager } from '@mikro-orm/postgresql';
import type { OperatorActor } from '../shared/actor.ts';
import type { Scope } from '../shared/scopes.ts';
import { sql } from '../shared/sql.ts';
import { latestGenerations } from '../statistics/latestGeneration.sql.ts';
import { revocationLifecycle, undeletedStates } from '../sharing/revocationStatus.ts';
import { ownSandbox } from './ownSandbox.ts';
import { SandboxCorpus } from './SandboxCorpus.ts';

/** What a sandbox contains now. */
type SandboxSummary = {
  readonly corpus: SandboxCorpus | null;
  /** Live shares. A resource that is shared twice counts twice, as it does in a sync. */
  readonly orders: number;
  readonly vehicles: number;
  readonly connections: number;
  /** Outstanding deletions. */
  readonly outstandingRevocations: number;
  readonly statistics: { readonly generationId: string; readonly publishedAt: Date; readonly groupCount: number } | null;
  /** What a user can consent to. */
  readonly grantableScopes: readonly Scope[];
};

/** A client has hundreds of rows of each (indexes that begin with the client). */
const countsSql = `
select (select count(*)::int from shared_resource where client_number = $1 and revocation_id is null and type = 'order') as orders,
       (select count(*)::int from shared_resource where client_number = $1 and revocation_id is null and type = 'vehicle') as vehicles,
       (select count(*)::int from connection where client_number = $1 and revocation_id is null) as connections,
       (select count(*)::int from revocation where client_number = $1 and ${revocationLifecycle.isIn(undeletedStates)}) as "outstandingRevocations"`;

const latestSql = latestGenerations(
  'id as "generationId", published_at as "publishedAt", json_array_length(groups::json) as "groupCount"',
  '$1',
);

/** What the operator's own sandbox contains. Errors: not_found. */
export async function sandboxSummary(
  em: EntityManager,
  { actor, clientId }: { actor: OperatorActor; clientId: string },
): Promise<SandboxSummary> {
  const client = await ownSandbox(em, actor, clientId);
  const corpus = await em.findOne(SandboxCorpus, { clientNumber: client.number }, { orderBy: { generation: 'desc' } });
  const [counts] = await sql<Pick<SandboxSummary, 'orders' | 'vehicles' | 'connections' | 'outstandingRevocations'>>(em, countsSql, [
    client.number,
  ]);
  const [latest] = await sql<{ generationId: string; publishedAt: Date; groupCount: number }>(em, latestSql, [client.number]);
  return {
    corpus,
    ...(counts ?? { orders: 0, vehicles: 0, connections: 0, outstandingRevocations: 0 }),
    statistics: latest ?? null,
    grantableScopes: client.grantableScopes,
  };
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';
import { allEvidenceKinds, type CountedKind, evidenceWords, type EvidenceKind } from './evidenceKinds.ts';

/** When something was first and last seen, and how often. */
type Sighting = { readonly firstAt: Date; readonly lastAt: Date; readonly count: number };

/** One kind of evidence; `seen` is null until it has been seen. */
export type Evidence = {
  readonly kind: EvidenceKind;
  readonly title: string;
  readonly explanation: string;
  readonly seen: Sighting | null;
  /** A count that belongs beside it: one that speaks `against` the client, or more of the same. */
  readonly companion: { readonly title: string; readonly against: boolean; readonly seen: Sighting | null } | null;
};

type Row = { integration_id: string; kind: CountedKind; first_at: Date; last_at: Date; count: string };

/** By client_integration_id_environment_key and the primary key. */
const evidenceSql = `
  select k.integration_id, e.kind, e.first_at, e.last_at, e.count
    from client k join review_evidence e on e.client_number = k.number where k.integration_id = any($1::text[]) and k.environment = 'sandbox'`;

/**
 * What the service itself has seen the sandbox client of each integration do, with all kinds, including those not seen yet. It outlives the
 * request log, because it is counted when requests are recorded and by the commands themselves.
 */
export async function evidenceOf(em: EntityManager, integrationIds: readonly string[]): Promise<Evidence[][]> {
  const rows = await sql<Row>(em, evidenceSql, [integrationIds]);
  return integrationIds.map((id) => evidenceIn(rows.filter(({ integration_id: integrationId }) => integrationId === id)));
}

function evidenceIn(rows: readonly Row[]): Evidence[] {
  const seen = (kind: CountedKind): Sighting | null => {
    const row = rows.find((each) => each.kind === kind);
    return row ? { firstAt: row.first_at, lastAt: row.last_at, count: Number(row.count) } : null;
  };
  return allEvidenceKinds.map((kind) => {
    const { title, explanation, companion } = evidenceWords(kind);
    return {
      kind,
      title,
      explanation,
      seen: seen(kind),
      companion: companion ? { title: companion.title, against: companion.against, seen: seen(companion.kind) } : null,
    };
  });
}

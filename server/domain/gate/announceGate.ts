import type { EntityManager } from '@mikro-orm/postgresql';
import { productionStatuses } from '../integration/integrationFacts.ts';
import { notify } from '../notification/notify.ts';
import { enqueue } from '../shared/jobs.ts';
import { limits } from '../shared/limits.ts';
import { sql } from '../shared/sql.ts';
import { gateDetails } from './gateDetails.ts';
import { serviceGate } from './serviceGate.ts';

/** By the primary key. The administrator who moved the gate knows. */
const sliceSql = `
select i.id, i.operator_id as "operatorId", i.production_gate_open as open, i.status = any ($3::text[]) and i.operator_id is distinct from g.changed_by as concerned
  from integration i, service_gate g where i.id > $1 order by i.id limit $2`;

type Row = { id: string; operatorId: string; open: boolean; concerned: boolean };

/**
 * Tells the owners of a slice of the integrations that the service's gate was moved, and queues the next slice, in one transaction, so that a
 * retry tells nobody twice. It tells how the gate stands by now: a move that another one has followed is not told any more.
 */
export function announceGate(em: EntityManager, { after, now }: { after: string | null; now: Date }): Promise<void> {
  return em.transactional(async (tx) => {
    const gate = await serviceGate(tx);
    const slice = await sql<Row>(tx, sliceSql, [after ?? '', limits.announcementSlice, productionStatuses]);
    for (const { id, operatorId, open } of slice.filter(({ concerned }) => concerned)) {
      const details = gateDetails('service', { open: gate.open, reason: gate.reason ?? '', otherOpen: open });
      const subjectId = `service ${gate.changedAt?.toISOString() ?? ''} ${id}`;
      await notify(tx, { kind: 'gate_moved', subjectId, operatorId, integrationId: id, details, now });
    }
    const last = slice.at(-1);
    if (last && slice.length === limits.announcementSlice) await enqueue(tx, 'announceGate', { after: last.id });
  });
}

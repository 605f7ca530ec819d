import { IsolationLevel, type EntityManager } from '@mikro-orm/postgresql';
import { isOverSql } from '../../integration/integrationStatus.ts';
import { sql } from '../../shared/sql.ts';
import { discardWaiting } from '../../outbox/discardDeliveries.ts';
import { clearSandbox } from './clearSandbox.ts';

const retiredSql = `
select 1 from client k join integration i on i.id = k.integration_id where k.number = $1 and k.environment = 'sandbox' and ${isOverSql('i')}`;

/**
 * The job that removes the test data of a retired integration, with everything that was shared in its sandbox: no call reads it any more,
 * and nothing of it is due. A job of its own, because only workers may delete it. Does nothing for an integration that is not retired.
 */
export function emptySandbox(em: EntityManager, { clientNumber, now }: { clientNumber: number; now: Date }): Promise<void> {
  return em.transactional(
    async (tx) => {
      if ((await sql(tx, retiredSql, [clientNumber])).length === 0) return;
      const untold = await clearSandbox(tx, clientNumber);
      await discardWaiting(tx, { numbers: untold, reason: 'endpoint_gone', now });
    },
    { isolationLevel: IsolationLevel.READ_COMMITTED },
  );
}

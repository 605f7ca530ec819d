import type { EntityManager } from '@mikro-orm/postgresql';
import { notify } from '../../notification/notify.ts';
import { enqueue } from '../../shared/jobs.ts';
import { limits } from '../../shared/limits.ts';
import { sql } from '../../shared/sql.ts';
import { currentTerms } from './acceptTerms.ts';

/** Reads the primary keys of operator and terms_acceptance. */
const sliceSql = `
  select o.id, o.deleted_at is null and not exists (
           select from terms_acceptance a where a.operator_id = o.id and a.terms_version = $1) as waiting
    from operator o where o.id > $2 order by o.id limit $3`;

/**
 * Tells a slice of the operators about new terms and queues the next slice, in one transaction, so that a retry tells nobody twice. Anyone who
 * has already accepted them is left alone; terms that have been replaced by newer ones are no longer announced.
 */
export function announceTerms(
  em: EntityManager,
  { version, after, now }: { version: number; after: string | null; now: Date },
): Promise<void> {
  return em.transactional(async (tx) => {
    const current = await currentTerms(tx);
    if (current.version !== version) return;
    const slice = await sql<{ id: string; waiting: boolean }>(tx, sliceSql, [version, after ?? '', limits.announcementSlice]);
    for (const { id } of slice.filter(({ waiting }) => waiting)) {
      const details = { version, title: current.title };
      await notify(tx, { kind: 'terms_published', subjectId: `${version} ${id}`, operatorId: id, details, now });
    }
    const last = slice.at(-1);
    if (last && slice.length === limits.announcementSlice) await enqueue(tx, 'announceTerms', { version, after: last.id });
  });
}

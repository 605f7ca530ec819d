import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';
import { mailKindRules, staffTopics, type StaffMailKind } from './mailKinds.ts';
import { notify, type Notification } from './notify.ts';

/** One thing to tell reviewers or administrators, as its kind says. `subjectId` names the event: each of them gets one mail about it. */
type StaffNotification = Omit<Extract<Notification, { readonly kind: StaffMailKind }>, 'operatorId' | 'integrationId'> & {
  /** Null where it is about none. */
  readonly integrationId: string | null;
  /** Who gets no mail: those who did it or whom it is about. The owner of the integration gets none in any case. */
  readonly except: readonly (string | null)[];
  /** The one person whom it concerns; null or absent: all of them. */
  readonly only?: string | null;
};

/** Reads index operator_roles: the staff are few. */
const staffSql = `
select o.id from operator o
 where o.roles <> '{}' and o.roles @> array[$1] and o.deleted_at is null and o.locked_at is null and o.id <> all ($2::text[])
   and ($3::text is null or o.id = $3) and not exists (select 1 from integration i where i.id = $4 and i.operator_id = o.id)
 order by o.id`;

/**
 * Queues one mail to everybody with the role that the kind is for, in the caller's transaction. Whether they still have the role, and want
 * this mail, is checked when it is sent.
 */
export async function notifyStaff(tx: EntityManager, { except, only = null, integrationId, ...event }: StaffNotification): Promise<void> {
  const role = staffTopics[mailKindRules[event.kind].topic];
  const staff = await sql<{ id: string }>(tx, staffSql, [role, except.filter((id) => id !== null), only, integrationId]);
  for (const { id } of staff) {
    const about = integrationId === null ? {} : { integrationId };
    await notify(tx, { ...event, ...about, subjectId: `${event.subjectId} ${id}`, operatorId: id } as Notification);
  }
}

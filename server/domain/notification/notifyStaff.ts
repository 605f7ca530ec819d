import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from '../shared/sql.ts';
import { mailKindRules, staffTopics, type StaffMailKind } from './mailKinds.ts';
import { notify, type Notification } from './notify.ts';

/** One thing to tell reviewers or administrators, as its kind says. `subjectId` names the event: each of them gets one mail about it. */
type StaffNotification = Omit<Extract<Notification, { readonly kind: StaffMailKind }>, 'operatorId' | 'integrationId'> & {
  /** Null where it is about none. */
  readonly integrationId: string | null;
  /** Who gets no mail: the integration's owner, and the one who did it. */
  readonly except: readonly (string | null)[];
  /** The one person whom it concerns; null or absent: all of them. */
  readonly only?: string | null;
};

/** Reads index operator_roles: the staff are few. */
const staffSql = `
select id from operator
 where roles <> '{}' and roles @> array[$1] and deleted_at is null and locked_at is null and id <> all ($2::text[]) and ($3::text is null or id = $3) order by id`;

/**
 * Queues one mail to everybody with the role that the kind is for, in the caller's transaction. Whether they still have the role, and want
 * this mail, is checked when it is sent.
 */
export async function notifyStaff(tx: EntityManager, { except, only = null, integrationId, ...event }: StaffNotification): Promise<void> {
  const role = staffTopics[mailKindRules[event.kind].topic];
  const staff = await sql<{ id: string }>(tx, staffSql, [role, except.filter((id) => id !== null), only]);
  for (const { id } of staff) {
    const about = integrationId === null ? {} : { integrationId };
    await notify(tx, { ...event, ...about, subjectId: `${event.subjectId} ${id}`, operatorId: id } as Notification);
  }
}

import type { EntityManager } from '@mikro-orm/postgresql';
import { record } from '../audit/record.ts';
import { notificationTopics, type NotificationTopic } from '../notification/mailKinds.ts';
import type { OperatorActor } from '../shared/actor.ts';
import { sql } from '../shared/sql.ts';
import { takeAttempt } from './attempts.ts';

/** The topics that the operator has switched off. */
export async function mutedNotifications(em: EntityManager, operatorId: string): Promise<NotificationTopic[]> {
  const [operator] = await sql<{ muted: string[] }>(em, 'select to_json(muted_notifications) as muted from operator where id = $1', [
    operatorId,
  ]);
  return notificationTopics.filter((topic) => operator?.muted.includes(topic));
}

/** Of topics that only a later release knows, nothing has been said: that release was told, and goes on. */
const mutedSql = `$2::text[] || array(select topic from unnest(muted_notifications) as topic where topic <> all($3::text[]))`;
const muteSql = `update operator set muted_notifications = ${mutedSql} where id = $1 and muted_notifications <> ${mutedSql} returning id`;

/**
 * Switches exactly these topics off and the others on. Mail that protects the account or a deadline belongs to no topic and is always sent.
 * Errors: rate_limit_exceeded.
 */
export async function setNotificationPreferences(
  em: EntityManager,
  { actor, muted: wanted, now }: { actor: OperatorActor; muted: readonly NotificationTopic[]; now: Date },
): Promise<NotificationTopic[]> {
  const topics = notificationTopics.filter((topic) => wanted.includes(topic));
  await em.transactional(async (tx) => {
    const changed = await sql(tx, muteSql, [actor.operatorId, topics, notificationTopics]);
    if (changed.length === 0) return;
    await takeAttempt(tx, { kind: 'change_operator', source: actor.operatorId }, now);
    await record(tx, actor, now, {
      action: 'operator.notifications_changed',
      subject: { type: 'operator', id: actor.operatorId },
      details: { muted: topics.join(' ') },
    });
  });
  return topics;
}

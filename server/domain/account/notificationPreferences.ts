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

/**
 * Switches exactly these topics off and the others on. Mail that protects the account or a deadline belongs to no topic and is always sent.
 * Errors: rate_limit_exceeded.
 */
export async function setNotificationPreferences(
  em: EntityManager,
  { actor, muted, now }: { actor: OperatorActor; muted: readonly NotificationTopic[]; now: Date },
): Promise<NotificationTopic[]> {
  const topics = notificationTopics.filter((topic) => muted.includes(topic));
  await em.transactional(async (tx) => {
    const changed = await sql(
      tx,
      'update operator set muted_notifications = $2 where id = $1 and muted_notifications <> $2::text[] returning id',
      [actor.operatorId, topics],
    );
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

import type pg from 'pg';
import type { Mailer } from '../domain/notification/mailer.ts';
import type { Clock } from '../domain/shared/clock.ts';

/** A mail in the development mailbox. */
export type ReceivedMail = { id: string; recipient: string; subject: string; text: string; html: string; receivedAt: Date };

const kept = 100;

/** Keeps mail in the database instead of sending it: for a developer's machine, at {portal_url}/dev/mailbox. */
export function createDevelopmentMailbox(pool: pg.Pool, clock: Clock): Mailer & { newest(): Promise<ReceivedMail[]> } {
  return {
    async send({ id, recipient, subject, text, html }) {
      await pool.query(
        'insert into development_mail (id, recipient, subject, text, html, received_at) values ($1, $2, $3, $4, $5, $6) on conflict (id) do nothing',
        [id, recipient, subject, text, html, clock.now()],
      );
      return null;
    },
    async newest() {
      const { rows } = await pool.query<ReceivedMail>(
        'select id, recipient, subject, text, html, received_at as "receivedAt" from development_mail order by received_at desc, id desc limit $1',
        [kept],
      );
      return rows;
    },
  };
}

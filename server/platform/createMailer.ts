import type pg from 'pg';
import type { Config } from '../config/config.ts';
import type { Mailer } from '../domain/notification/mailer.ts';
import type { Clock } from '../domain/shared/clock.ts';
import { createDevelopmentMailbox } from './developmentMailbox.ts';
import { createSmtpMailer } from './smtpMailer.ts';

/** SMTP if SMTP_URL is set, otherwise the development mailbox. */
export function createMailer(config: Pick<Config, 'smtpUrl' | 'mailFrom'>, pool: pg.Pool, clock: Clock): Mailer & { close(): void } {
  if (config.smtpUrl !== undefined) return createSmtpMailer(config.smtpUrl, config.mailFrom);
  return { ...createDevelopmentMailbox(pool, clock), close: () => {} };
}

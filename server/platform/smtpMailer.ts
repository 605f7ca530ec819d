import { createTransport } from 'nodemailer';
import { z } from 'zod';
import type { Mailer } from '../domain/notification/mailer.ts';

const connect = (url: string) => createTransport({ url, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 });

/** Connects to the mail server and signs in, and sends nothing. Rejects with the code of what went wrong, such as `EAUTH`. */
export async function trySmtp(smtpUrl: string): Promise<void> {
  const transport = connect(smtpUrl);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

/** Hands mail to the SMTP server of `SMTP_URL`. The Message-ID stays the same for every attempt. */
export function createSmtpMailer(smtpUrl: string, from: string): Mailer & { close(): void } {
  const transport = connect(smtpUrl);
  const domain = /@([^>\s]+)>?$/.exec(from)?.[1] ?? 'localhost';
  return {
    async send({ id, recipient, subject, text, html }) {
      const mail = {
        from,
        to: { name: '', address: recipient },
        subject,
        text,
        html,
        messageId: `<${id}@${domain}>`,
        // So that holiday notices do not answer it (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
      };
      try {
        await transport.sendMail(mail);
        return null;
      } catch (error) {
        const reply = finalReply(error);
        if (reply === null) throw error;
        return reply;
      }
    },
    close: () => transport.close(),
  };
}

/** What nodemailer throws when the server answers the envelope or the message with an error. */
const refusal = z.object({ code: z.enum(['EENVELOPE', 'EMESSAGE']), responseCode: z.int().min(500).max(599), response: z.string() });

/** Replies about us and not about the mail: the server wants encryption or another password first (RFC 4954, 6; RFC 3207, 4). */
const aboutUs: ReadonlySet<number> = new Set([530, 534, 535, 538]);

/**
 * The reply with which the server has refused this mail for good, or null. A refusal of the connection or of the password concerns every
 * mail and ends when the installation is put right, so those are tried again like a server that does not answer.
 */
function finalReply(error: unknown): string | null {
  const { data } = refusal.safeParse(error);
  if (!data || aboutUs.has(data.responseCode)) return null;
  const enhanced = /^\d{3}[ -](5\.\d{1,3}\.\d{1,3})\b/.exec(data.response)?.[1];
  return enhanced === undefined ? String(data.responseCode) : `${data.responseCode} ${enhanced}`;
}

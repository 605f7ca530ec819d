import { trySmtp } from '../platform/smtpMailer.ts';
import { warning, wrong, type Look, type Place } from './finding.ts';

/** Whether the mail server takes us. Nothing is sent. */
export async function examineMail({ config }: Place): Promise<Look> {
  if (config.smtpUrl === undefined) {
    if (!config.production) return [];
    return [warning('No mail leaves this machine: ALLOW_DEVELOPMENT_MAILBOX is true', 'Set SMTP_URL and MAIL_FROM.')];
  }
  try {
    await trySmtp(config.smtpUrl);
    return [];
  } catch (error) {
    const { code, responseCode } = error as { code?: string; responseCode?: number };
    // The library's own words contain what the server has answered, and the host.
    const said = [code, responseCode].filter((each) => each !== undefined).join(' ');
    if (code === 'EAUTH')
      return [
        wrong(
          `SMTP_URL: the mail server refuses the user or the password (${said})`,
          'Correct them; special characters are percent-encoded.',
        ),
      ];
    if (code === 'ETLS' || /certificate|SSL|TLS/i.test(String(error)))
      return [
        wrong(
          `SMTP_URL: no encrypted connection to the mail server comes about (${said})`,
          'Port 465 takes smtps://, port 587 smtp://…?requireTLS=true. For an authority of your own, name its file in NODE_EXTRA_CA_CERTS.',
        ),
      ];
    return [
      wrong(
        `SMTP_URL: the mail server cannot be reached (${said})`,
        'Look at host and port, and whether this machine’s network lets it out: many providers block port 25 and allow 587 and 465.',
      ),
    ];
  }
}

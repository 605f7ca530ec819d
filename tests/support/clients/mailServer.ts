import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

type ReceivedMail = { to: string[]; from: string; raw: string };

/**
 * A real SMTP server on a port; `refuse` makes it refuse the next mails at that step, with a temporary reply unless another one is given. With `tls`,
 * everything is encrypted from the first byte on (smtps).
 */
export async function startMailServer(
  port: number,
  refuse?: 'connection' | 'sender' | 'recipient' | 'data',
  reply = '451 Try again later',
  tls?: { readonly cert: string; readonly key: string },
) {
  const received: ReceivedMail[] = [];
  const [code = '', ...rest] = reply.split(' ');
  const refusal = (about = '') => Object.assign(new Error(`${rest.join(' ')}${about}`), { responseCode: Number(code) });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    ...(tls && { secure: true, ...tls }),
    onConnect: (_session, done) => done(refuse === 'connection' ? refusal() : null),
    // Many servers repeat the address that they refuse.
    onMailFrom: (_address, _session, done) => done(refuse === 'sender' ? refusal() : null),
    onRcptTo: ({ address }, _session, done) => done(refuse === 'recipient' ? refusal(` <${address}>`) : null),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        if (refuse === 'data') return done(refusal());
        const from = session.envelope.mailFrom;
        received.push({
          to: session.envelope.rcptTo.map(({ address }) => address),
          from: from === false ? '' : from.address,
          raw: Buffer.concat(chunks).toString(),
        });
        return done();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return {
    received,
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** The decoded parts of a mail, by type. */
export function partsOf(raw: string): Record<string, string> {
  const boundary = /boundary="([^"]+)"/.exec(raw)?.[1] ?? '';
  return Object.fromEntries(
    raw.split(`--${boundary}`).flatMap((part) => {
      const [head = '', ...body] = part.split('\r\n\r\n');
      const type = /Content-Type: (text\/\w+)/i.exec(head)?.[1];
      const text = body.join('\r\n\r\n');
      const decoded = /quoted-printable/i.test(head)
        ? text.replace(/=\r\n/g, '').replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
        : text;
      return type === undefined ? [] : [[type, decoded]];
    }),
  );
}

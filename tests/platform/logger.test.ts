import { Writable } from 'node:stream';
import { afterEach, expect, test } from '@jest/globals';
import { createLogger } from '../../server/platform/logger.ts';
import { logLibraries } from '../../server/platform/logLibraries.ts';
import { createSmtpMailer } from '../../server/platform/smtpMailer.ts';
import { startMailServer } from '../support/clients/mailServer.ts';

let server: Awaited<ReturnType<typeof startMailServer>> | undefined;
afterEach(() => server?.close());

/** The lines that are logged for an error. */
function logged(err: unknown): string {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  createLogger('test', 'info', sink).warn({ err }, 'job.failed');
  return lines.join('');
}

test('what a mail server says against a mail is logged, without the address that it repeats', async () => {
  server = await startMailServer(0, 'recipient');
  const mailer = createSmtpMailer(`smtp://127.0.0.1:${server.port}`, 'no-reply@example.com');
  const mail = { id: 'mail_1', recipient: 'ada.lovelace@example.org', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
  const error: unknown = await mailer.send(mail).catch((thrown: unknown) => thrown);
  mailer.close();
  expect((error as Error).message).toContain('ada.lovelace@example.org');
  expect(logged(error)).toContain('Try again later <[address]>');
  expect(logged(error)).toContain('EENVELOPE');
  expect(logged(error)).not.toMatch(/lovelace|example\.org/);
});

test.each(['no route to a@b.example', 'quoted "first.last"@b.example', '<a@b.example>:<c@d.example>', `${'x'.repeat(290)} a@b.example`])(
  'no address is logged of the message %j',
  (message) => {
    expect(logged(new Error(message))).not.toMatch(/@/);
  },
);

test('what a library prints is one log line, however long its stack', () => {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(chunk.toString());
      done();
    },
  });
  const printer = { ...console };
  logLibraries(createLogger('test', 'info', sink), printer);
  printer.trace(Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' }));
  printer.error('completeJob: attempt 1/20 failed;\nretrying', new Error('Connection terminated'));
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ msg: 'library.said', level: 'warn', err: expect.objectContaining({ reason: 'ECONNREFUSED' }) }),
    expect.objectContaining({
      detail: 'completeJob: attempt 1/20 failed;',
      err: expect.objectContaining({ message: 'Connection terminated' }),
    }),
  ]);
});

import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { notify } from '../../server/domain/notification/notify.ts';
import { createSmtpMailer } from '../../server/platform/smtpMailer.ts';
import { partsOf, startMailServer } from '../support/clients/mailServer.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';

let port: number;
let application: PortalWorld;
let server: Awaited<ReturnType<typeof startMailServer>> | undefined;
beforeAll(async () => {
  // The port is chosen first, so that the portal knows it while nothing listens there.
  const placeholder = await startMailServer(0);
  ({ port } = placeholder);
  await placeholder.close();
  application = await openWorld({
    portal: {
      env: { SMTP_URL: `smtp://127.0.0.1:${port}`, MAIL_FROM: 'Integrations <no-reply@example.com>' },
    },
  });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
});
afterAll(() => application.close());

const register = (email: string) => application.browser().must('requestRegistration', { input: { email } });
/** Makes failed jobs due, instead of waiting for their next attempt. */
const nextAttempt = async () => {
  await application.rows('update graphile_worker._private_jobs set run_at = now()');
  await application.work();
};
/** How long after its last attempt a waiting job is tried again. */
const secondsToWait = async () =>
  (
    await application.rows<{ wait: number }>(
      `select extract(epoch from run_at - updated_at)::float8 as wait from graphile_worker.jobs where task_identifier = 'sendMail' and attempts > 0`,
    )
  )[0]?.wait ?? 0;
const mailRow = async (recipient: string) =>
  (
    await application.rows<{ id: string; sent_at: Date | null }>(
      'select m.id, m.sent_at from mail m join verification_link l on l.id = m.subject_id where l.email = $1',
      [recipient],
    )
  )[0];

test('a registration reaches the mail server as text and HTML with the link, which works', async () => {
  server = await startMailServer(port);
  await register('reader@example.com');
  await application.work();
  expect(server.received).toHaveLength(1);
  const [mail] = server.received;
  expect(mail).toMatchObject({ to: ['reader@example.com'], from: 'no-reply@example.com' });
  expect(mail?.raw).toMatch(/^Subject: Confirm your address\r$/m);
  expect(mail?.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
  expect(mail?.raw).toMatch(/^From: Integrations <no-reply@example.com>\r$/m);
  expect(mail?.raw).toMatch(new RegExp(`^Message-ID: <${(await mailRow('reader@example.com'))?.id}@example.com>\\r$`, 'im'));
  const parts = partsOf(mail?.raw ?? '');
  const link = new RegExp(`${application.portalUrl}/verify#token=([\\w-]{43})`);
  const token = link.exec(parts['text/plain'] ?? '')?.[1];
  expect(link.exec(parts['text/html'] ?? '')?.[1]).toBe(token);
  expect(parts['text/plain']).toContain('20 minutes');
  expect(await application.browser().must('confirmRegistration', { input: { token } })).toMatchObject({
    kind: 'enrolment',
    email: 'reader@example.com',
  });
});

test('while nothing listens the mail waits; afterwards it is sent once, however often the job runs', async () => {
  await register('patient@example.com');
  await application.work();
  expect((await mailRow('patient@example.com'))?.sent_at).toBeNull();
  const first = await secondsToWait();
  await nextAttempt();
  expect(await secondsToWait()).toBeGreaterThan(first);
  expect(first).toBeGreaterThan(1);
  server = await startMailServer(port);
  await nextAttempt();
  await nextAttempt();
  const { id, sent_at } = (await mailRow('patient@example.com')) ?? {};
  expect(sent_at).toBeInstanceOf(Date);
  await application.rows("select graphile_worker.add_job('sendMail', json_build_object('mailId', $1::text))", [id]);
  await application.work();
  expect(server.received.map(({ to }) => to)).toEqual([['patient@example.com']]);
});

test.each(['connection', 'recipient', 'data'] as const)(
  'a server that turns mail away at the %s gets it again later, with the same Message-ID, and once',
  async (step) => {
    const recipient = `refused-${step}@example.com`;
    server = await startMailServer(port, step);
    await register(recipient);
    await application.work();
    expect(server.received).toEqual([]);
    await server.close();
    server = await startMailServer(port);
    await nextAttempt();
    await nextAttempt();
    expect(server.received).toHaveLength(1);
    expect(server.received[0]?.raw).toContain(`<${(await mailRow(recipient))?.id}@example.com>`);
  },
);

test.each([
  ['sender', '553 5.1.8 We do not know you', '553 5.1.8'],
  ['recipient', '550 5.1.1 Unknown mailbox', '550 5.1.1'],
  ['recipient', '550 Unknown mailbox', '550'],
  ['data', '554 5.7.1 Spam', '554 5.7.1'],
] as const)(
  'a server that refuses the %s for good (%s) is not asked again, and its reply is on record without its words',
  async (step, reply, stored) => {
    const recipient = `never-${step}-${reply.length}@example.com`;
    server = await startMailServer(port, step, reply);
    await register(recipient);
    await application.work();
    await server.close();
    server = await startMailServer(port);
    await nextAttempt();
    expect(server.received).toEqual([]);
    const [row] = await application.rows(
      'select m.refused_with, m.refused_at is not null as refused, m.sent_at from mail m join verification_link l on l.id = m.subject_id where l.email = $1',
      [recipient],
    );
    expect(row).toEqual({ refused_with: stored, refused: true, sent_at: null });
    expect(
      await application.rows("select 1 from graphile_worker.jobs where task_identifier = 'sendMail' and last_error is not null"),
    ).toEqual([]);
    expect(application.log()).not.toContain(recipient);
  },
);

test.each([
  ['connection', '554 Your address is blocked'],
  ['sender', '530 5.7.0 Authentication required'],
] as const)('a reply about ourselves (%s: %s) is no end: the mail waits until the installation is put right', async (step, reply) => {
  const recipient = `waiting-${step}@example.com`;
  server = await startMailServer(port, step, reply);
  await register(recipient);
  await application.work();
  expect(server.received).toEqual([]);
  await server.close();
  server = await startMailServer(port);
  await nextAttempt();
  expect(server.received.map(({ to }) => to)).toEqual([[recipient]]);
});

test('a mail that has expired while it waited is no longer sent', async () => {
  await register('late@example.com');
  application.clock.advance(21 * 60_000);
  server = await startMailServer(port);
  await application.work();
  expect(server.received).toEqual([]);
});

test('the link for a change of address that has been cancelled meanwhile is no longer sent', async () => {
  const operator = application.browser();
  server = await startMailServer(port);
  await register('mover@example.com');
  await application.work();
  const token = /#token=([\w-]+)/.exec(partsOf(server.received.pop()?.raw ?? '')['text/plain'] ?? '')?.[1];
  await operator.must('confirmRegistration', { input: { token } });
  await operator.enrol(operator.passkey.create(await operator.creationOptions(), operator.origin));
  await operator.must('requestEmailChange', { input: { newEmail: 'first-thought@example.com' } });
  await operator.must('requestEmailChange', { input: { newEmail: 'second-thought@example.com' } });
  await application.rows("update graphile_worker._private_jobs set run_at = now() + interval '1 hour' where attempts = 0");
  await operator.must('requestEmailChange', { input: { newEmail: 'third-thought@example.com' } });
  await application.work();
  expect(server.received.map(({ to }) => to[0]).sort()).toEqual(['mover@example.com', 'third-thought@example.com']);
  await operator.must('cancelEmailChange');
  await nextAttempt();
  expect(server.received).toHaveLength(2);
});

test('words with line breaks and addresses in them add no header, no recipient and no markup', async () => {
  server = await startMailServer(port);
  const name = 'Board\r\nBcc: victim@example.com\r\n\r\n<script>alert(1)</script>';
  const [{ id } = { id: '' }] = await application.rows<{ id: string }>("select id from operator where email = 'mover@example.com'");
  await application.orm.em.fork().transactional((tx) =>
    notify(tx, {
      kind: 'terms_published',
      subjectId: 'injection',
      operatorId: id,
      details: { version: 2, title: name },
      now: new Date(),
    }),
  );
  await application.mailer.send({ id: 'mail_x', recipient: 'one@example.com', subject: name, text: name, html: '<p>x</p>' });
  await application.work();
  expect(server.received.map(({ to }) => to)).toEqual([['one@example.com'], ['mover@example.com']]);
  for (const { raw } of server.received) {
    const head = raw.split('\r\n\r\n')[0] ?? '';
    expect(head).not.toMatch(/^(Bcc|Cc):/im);
    expect(head.match(/^To:.*$/gm)).toHaveLength(1);
    expect(partsOf(raw)['text/html']).not.toContain('<script>');
  }
});

test('an address with quotes or display-name syntax stays one recipient', async () => {
  server = await startMailServer(port);
  await register("o'neil+tag@example.com");
  await application.work();
  expect(server.received.map(({ to }) => to)).toEqual([["o'neil+tag@example.com"]]);
});

test('where encryption is asked for, a server without it gets no mail', async () => {
  server = await startMailServer(port);
  const mail = { id: 'mail_y', recipient: 'one@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' };
  const mailer = createSmtpMailer(`smtp://127.0.0.1:${port}?requireTLS=true`, 'no-reply@example.com');
  await expect(mailer.send(mail)).rejects.toMatchObject({ code: 'ETLS' });
  mailer.close();
  expect(server.received).toEqual([]);
});

test('with a mail server there is no development mailbox', async () => {
  const response = await application.browser().fetch('/dev/mailbox', { headers: { accept: 'application/json' } });
  expect(await response.text()).not.toContain('@example.com');
  expect(await application.browser().must('service')).toMatchObject({ developmentMailbox: false });
});

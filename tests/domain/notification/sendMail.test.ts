import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { sendMail } from '../../../server/domain/notification/sendMail.ts';
import { limits } from '../../../server/domain/shared/limits.ts';
import { administrator } from '../../support/clients/toolingClient.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';

/** As often as the queue tries a job. */
const tries = 25;
let application: PortalWorld;
let mailId: string;
beforeAll(async () => {
  application = await openWorld({ portal: true });
});
afterAll(() => application.close());

beforeEach(async () => {
  const owner = await application.operator();
  const { data } = await owner.viewer();
  [{ id: mailId } = { id: '' }] = await application.rows<{ id: string }>(
    `insert into mail (id, kind, subject_id, operator_id, created_at) values ('mail_' || $1, 'new_passkey', $1, $1, $2) returning id`,
    [data?.operatorId, application.clock.now()],
  );
});

/** Tries the job as often as the queue does, and counts what reaches the mail server. */
async function tryAll(send: () => Promise<void> = async () => {}) {
  let sent = 0;
  const mailer = {
    send: async () => {
      sent += 1;
      await send();
      return null;
    },
  };
  const { portalUrl, supportContact } = application.workerContext();
  const failures: unknown[] = [];
  for (let tried = 0; tried < tries; tried += 1) {
    const job = {
      mailId,
      mailer,
      portalUrl,
      supportContact,
      tokenOf: async () => '',
      codeOf: async () => '',
      now: application.clock.now(),
    };
    await sendMail(application.orm.em.fork(), job).catch((error: unknown) => failures.push(error));
  }
  return { sent, failures: failures.length };
}
const stored = async () =>
  (
    await application.rows<{ sent: boolean; attempted: boolean; handovers: number }>(
      'select sent_at is not null as sent, attempted_at is not null as attempted, handovers from mail where id = $1',
      [mailId],
    )
  )[0];

async function retryAsAdministrator(): Promise<void> {
  const [job] = await application.rows<{ id: string }>(
    "select id from graphile_worker.add_job('sendMail', json_build_object('mailId', $1::text))",
    [mailId],
  );
  await application.rows("update graphile_worker._private_jobs set last_error = 'x', attempts = max_attempts where id = $1", [job?.id]);
  const admin = await administrator(application);
  await admin.confirmFreshly();
  await admin.must('retryJob', { input: { jobId: job?.id } });
}

/** A database that has no room left for what a column says, as on a full disk. */
async function unwritable(column: string, during: () => Promise<void>) {
  await application.rows(`alter table mail add constraint no_room check (id <> '${mailId}' or ${column} is null) not valid`);
  try {
    await during();
  } finally {
    await application.rows('alter table mail drop constraint no_room');
  }
}

test('a mail is handed over once, however often its job runs', async () => {
  expect(await tryAll()).toEqual({ sent: 1, failures: 0 });
  expect(await stored()).toEqual({ sent: true, attempted: true, handovers: 1 });
});

test('while the database cannot write, nothing is handed over, and afterwards it is', async () => {
  await unwritable('attempted_at', async () => {
    expect(await tryAll()).toEqual({ sent: 0, failures: tries });
  });
  expect(await tryAll()).toEqual({ sent: 1, failures: 0 });
});

test('where what became of a mail is lost each time, it is handed over three times and not with every try, and its job fails for administrators to see', async () => {
  await unwritable('sent_at', async () => {
    expect(await tryAll()).toEqual({ sent: limits.mailHandovers, failures: tries });
  });
  expect(await tryAll()).toEqual({ sent: 0, failures: tries });
  expect(await stored()).toEqual({ sent: false, attempted: true, handovers: limits.mailHandovers });
  await retryAsAdministrator();
  expect(await tryAll()).toEqual({ sent: 1, failures: 0 });
});

test('what the mail server does not take is tried as often as before', async () => {
  const refuse = () => Promise.reject(new Error('450 Try later'));
  expect(await tryAll(refuse)).toEqual({ sent: tries, failures: tries });
  expect(await stored()).toEqual({ sent: false, attempted: true, handovers: 0 });
  expect(await tryAll()).toEqual({ sent: 1, failures: 0 });
});

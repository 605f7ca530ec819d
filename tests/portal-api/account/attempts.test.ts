import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { giveBack, takeAttempt, withinAttempts } from '../../../server/domain/account/attempts.ts';
import { removeExpired } from '../../../server/domain/retention/removeExpired.ts';
import { accountLimits } from '../../../server/domain/account/accountLimits.ts';
import { passkeysOf, redeem, remove, sessionsOf, signInWith, tryAddPasskey } from '../../support/clients/accountClient.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, type Answer, type PortalClient, type Viewer } from '../../support/clients/portalClient.ts';
import { actorOf, addLogo, goodSubmission } from '../../support/world/reviewPath.ts';
import { countedAttempts } from '../../support/world/accountFixtures.ts';

const minute = 60_000;
const unknownCode = '0000-0000-0000-0000';

let application: PortalWorld;
let operator: PortalClient;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  operator = await application.operator();
});
afterAll(() => application.close());
beforeEach(() => application.rows('delete from attempt_window'));

const retryAfter = ({ errors }: Answer<unknown>) => errors[0]?.extensions.retryAfterSeconds ?? 0;

async function forgedSignIn(client: PortalClient): Promise<Answer<Viewer>> {
  const options = await client.must<PublicKeyCredentialRequestOptionsJSON>('beginSignIn');
  return client.call('finishSignIn', { input: { response: operator.passkey.get(options, client.origin, { forgedSignature: true }) } });
}

describe('wrong recovery codes from one network', () => {
  test('are answered ten times in 15 minutes, then with the time to wait, while a right one is always taken', async () => {
    const recovered = await application.operator();
    for (let attempt = 0; attempt < 10; attempt += 1) {
      expect(codesOf(await redeem(application.browser(), unknownCode))).toEqual(['NOT_FOUND']);
    }
    application.clock.advance(4 * minute);
    const refused = await redeem(application.browser(), unknownCode);
    expect(codesOf(refused)).toEqual(['RATE_LIMITED']);
    expect(retryAfter(refused)).toBeGreaterThan(10 * 60);
    expect(retryAfter(refused)).toBeLessThanOrEqual(11 * 60);
    expect(refused.errors[0]?.message).toMatch(/from your network\. A valid code is still accepted\.$/);
    expect((await redeem(application.browser(), recovered.recoveryCodes[0])).data).toMatchObject({ kind: 'recovery' });
    application.clock.advance(retryAfter(refused) * 1000);
    expect(codesOf(await redeem(application.browser(), unknownCode))).toEqual(['NOT_FOUND']);
  });

  test('of forty at the same moment ten are looked at', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => redeem(application.browser(), unknownCode)));
    const codes = answers.flatMap(codesOf).sort();
    expect(codes).toEqual([...Array(10).fill('NOT_FOUND'), ...Array(30).fill('RATE_LIMITED')]);
  });

  test('do not count where the code was good', async () => {
    const recovered = await application.operator();
    await application.rows('delete from attempt_window');
    for (const code of recovered.recoveryCodes.slice(0, 5)) expect(codesOf(await redeem(application.browser(), code))).toEqual([]);
    expect(await application.rows("select count from attempt_window where kind = 'recovery_ip'")).toEqual([]);
  });
});

describe('sign-ins that fail', () => {
  test('that name somebody’s passkey do not lock its owner out, who comes from another network', async () => {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      expect(codesOf(await forgedSignIn(application.browser()))).toEqual(['UNAUTHENTICATED']);
    }
    // The network of those who fail has a window of its own, and nothing else counts them.
    expect(await application.rows('select kind, source, count from attempt_window where count > 0')).toEqual([
      { kind: 'sign_in_ip', source: '127.0.0.1', count: 20 },
    ]);
    await application.rows("update attempt_window set source = '203.0.113.9'");
    expect((await signInWith(application.browser(), operator.passkey)).data).toMatchObject({ kind: 'full' });
  });

  test('from one network are refused after sixty, whatever they name, and refuse nobody there who has a passkey', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) await operator.signIn();
    const fail = () => application.browser().call('finishSignIn', { input: { response: { id: 'x' } } });
    const answers = await Promise.all(Array.from({ length: 70 }, fail));
    expect(answers.flatMap(codesOf).filter((code) => code === 'RATE_LIMITED')).toHaveLength(10);
    const forged = await forgedSignIn(application.browser());
    expect(codesOf(forged)).toEqual(['RATE_LIMITED']);
    expect(forged.errors[0]?.message).toContain('from your network');
    expect(retryAfter(forged)).toBeGreaterThan(14 * 60);
    expect((await signInWith(application.browser(), operator.passkey)).data).toMatchObject({ kind: 'full' });
    expect((await signInWith(application.browser(), (await application.operator()).passkey)).data).toMatchObject({ kind: 'full' });
  });

  test('or are only begun leave no row of strangers, however many there are', async () => {
    const rows = async () => {
      const tables = await application.rows<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public'");
      const counts = tables.map(async ({ name }) => [name, await application.rows(`select count(*)::int as n from ${name}`)] as const);
      return Object.fromEntries(await Promise.all(counts));
    };
    const before = await rows();
    const begin = () => application.browser().graphql('mutation { a: beginSignIn b: beginSignIn c: beginSignIn }');
    const answers = await Promise.all(Array.from({ length: 150 }, begin));
    expect(answers.flatMap(codesOf)).toEqual([]);
    expect(await rows()).toEqual(before);
    const visitor = application.browser();
    const options = await visitor.must<PublicKeyCredentialRequestOptionsJSON>('beginSignIn');
    const response = { ...operator.passkey.get(options, visitor.origin), id: 'nobodys', rawId: 'nobodys' };
    for (let count = 0; count < 3; count += 1) {
      expect(codesOf(await visitor.call('finishSignIn', { input: { response } }))).toEqual(['UNAUTHENTICATED']);
    }
    expect(await rows()).toEqual({ ...before, attempt_window: [{ n: 1 }] });
  });
});

test('confirmations that fail are refused after twenty in one session, and in no other', async () => {
  const [first, second] = [await application.operator(), operator];
  await second.signIn();
  const fail = (client: PortalClient) => client.call('finishPasskeyConfirmation', { input: { response: {} } });
  const answers = await Promise.all(Array.from({ length: 25 }, () => fail(first.copy())));
  expect(answers.flatMap(codesOf).filter((code) => code === 'RATE_LIMITED')).toHaveLength(5);
  expect(codesOf(await fail(second))).toEqual(['UNAUTHENTICATED']);
});

const ask = (email: string) => application.browser().call('requestRegistration', { input: { email } });
/** Makes it look as if all requests so far had come from another network. */
const moveNetwork = (network: string) =>
  application.rows("update attempt_window set source = source || $1 where kind in ('registration_ip', 'registration_mailbox_ip')", [
    network,
  ]);

describe('registrations', () => {
  test('say how long to wait, by mailbox and network', async () => {
    for (let attempt = 0; attempt < 5; attempt += 1) await ask('waiting@example.com');
    application.clock.advance(20 * minute);
    const refused = await ask('Waiting@Example.com');
    expect(codesOf(refused)).toEqual(['RATE_LIMITED']);
    expect(retryAfter(refused)).toBeGreaterThan(39 * 60);
    expect(retryAfter(refused)).toBeLessThanOrEqual(40 * 60);
    expect(refused.errors[0]?.message).toMatch(/from your network\. .* Try again in 40 minutes\.$/);
  });

  test('of other spellings take nothing from an address, since only its host knows what dots and tags mean', async () => {
    for (const tag of [0, 1, 2, 3, 4]) expect(codesOf(await ask(`v.ic+${tag}@corp.example`))).toEqual([]);
    for (let attempt = 0; attempt < 5; attempt += 1) expect(codesOf(await ask('vic@corp.example'))).toEqual([]);
    expect(codesOf(await ask('VIC@Corp.Example'))).toEqual(['RATE_LIMITED']);
    await operator.signIn();
    expect(codesOf(await operator.call('requestEmailChange', { input: { newEmail: 'v.ic@corp.example' } }))).toEqual([]);
  });

  test('from elsewhere do not keep an owner from registering, up to thirty an hour for one mailbox', async () => {
    for (const network of ['a', 'b', 'c', 'd', 'e', 'f']) {
      for (let attempt = 0; attempt < 5; attempt += 1) expect(codesOf(await ask('flooded@example.com'))).toEqual([]);
      expect(codesOf(await ask('flooded@example.com'))).toEqual(['RATE_LIMITED']);
      await moveNetwork(network);
    }
    const refused = await ask('flooded@example.com');
    expect(refused.errors[0]?.message).toMatch(/^Too many links were requested for this address\./);
  });

  test('are sixty an hour from one network, and those that were confirmed are given back', async () => {
    await application.operator('confirmed@example.com');
    expect(await application.rows("select kind, count from attempt_window where kind like 'registration%' and count > 0")).toEqual([]);
    for (let attempt = 0; attempt < 60; attempt += 1) expect(codesOf(await ask(`visitor${attempt}@example.com`))).toEqual([]);
    expect(codesOf(await ask('visitor60@example.com'))).toEqual(['RATE_LIMITED']);
  });

  test('that are confirmed in a later window give nothing back of that', async () => {
    const visitor = application.browser();
    const token = await visitor.verificationToken('late@example.com');
    await application.rows("update attempt_window set window_start = window_start + interval '1 second'");
    await visitor.must('confirmRegistration', { input: { token } });
    expect(await application.rows("select count from attempt_window where kind = 'registration_ip'")).toEqual([{ count: 1 }]);
  });
});

test('the table of attempts holds no address and no credential, and is emptied a day later', async () => {
  await application.browser().call('requestRegistration', { input: { email: 'private@example.com' } });
  const forged = await forgedSignIn(application.browser());
  expect(codesOf(forged)).toEqual(['UNAUTHENTICATED']);
  const rows = await application.rows<{ kind: string; source: string }>('select kind, source from attempt_window order by kind');
  expect(rows.map(({ kind }) => kind)).toEqual(['registration_ip', 'registration_mailbox', 'registration_mailbox_ip', 'sign_in_ip']);
  for (const { source } of rows) expect(source).toMatch(/^(127\.0\.0\.1|[\w-]{43})$/);
  application.clock.advance(25 * 60 * minute);
  await removeExpired(application.orm.em.fork(), { now: application.clock.now() });
  expect(await application.rows('select 1 from attempt_window')).toEqual([]);
});

test('an attempt that succeeds while others fail gives back its own alone', async () => {
  const attempts = [{ kind: 'recovery_ip', source: 'somewhere' }] as const;
  const run = (work: () => Promise<void>) => withinAttempts(application.orm.em.fork(), attempts, application.clock.now(), work);
  const outcomes = await Promise.allSettled([
    run(() => Promise.resolve()),
    run(() => Promise.reject(new Error('wrong'))),
    run(() => Promise.reject(new Error('wrong'))),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
  expect(await application.rows("select count from attempt_window where source = 'somewhere'")).toEqual([{ count: 2 }]);
});

describe('a session that has had twenty attempts in a window', () => {
  const begun = new Date('2026-06-01T12:00:00Z');
  const at = (milliseconds: number) => new Date(begun.getTime() + milliseconds);
  const attempt = { kind: 'confirmation_session', source: 'visitor' } as const;
  const take = (now: Date) => takeAttempt(application.orm.em.fork(), attempt, now);
  const window = async () => (await application.rows("select window_start, count from attempt_window where source = 'visitor'"))[0];
  beforeEach(async () => {
    await countedAttempts(application, { ...attempt, since: begun }, 20);
    await countedAttempts(application, { ...attempt, source: 'other', since: begun }, 3);
  });

  test.each([
    [0, 900, '15 minutes'],
    [14 * minute - 1, 61, '2 minutes'],
    [14 * minute, 60, 'a minute'],
    [15 * minute - 1, 1, 'a minute'],
    // Another process, whose clock is ahead, has already begun the window.
    [-1, 901, '16 minutes'],
  ])('reads after %d ms how long to wait, and begins no other window', async (after, retryAfterSeconds, words) => {
    const refusal = { code: 'rate_limit_exceeded', retryAfterSeconds, message: expect.stringMatching(`Try again in ${words}\\.$`) };
    await expect(take(at(after))).rejects.toMatchObject(refusal);
    expect(await window()).toEqual({ window_start: begun, count: 20 });
  });

  test('begins the next one in the moment in which it ends, with one attempt', async () => {
    await take(at(15 * minute));
    expect(await window()).toEqual({ window_start: at(15 * minute), count: 1 });
    await take(at(30 * minute - 1));
    expect(await window()).toEqual({ window_start: at(15 * minute), count: 2 });
  });

  test('gets back what succeeded, once, unless a window has begun since', async () => {
    const give = (takenAt: Date) => giveBack(application.orm.em.fork(), [attempt], takenAt);
    await give(at(-1));
    expect(await window()).toMatchObject({ count: 20 });
    await give(begun);
    await give(at(1));
    expect(await window()).toMatchObject({ count: 18 });
    expect(await application.rows("select count from attempt_window where source = 'other'")).toEqual([{ count: 3 }]);
  });
});

test.each([
  ['sign_in_ip', 15 * 60],
  ['slug_operator', 60 * 60],
  ['integration_operator', 24 * 60 * 60],
] as const)('an operator who has used up %s waits %d seconds from the first attempt on', async (kind, retryAfterSeconds) => {
  const now = application.clock.now();
  const attempt = { kind, source: 'operator' } as const;
  await countedAttempts(application, { ...attempt, since: now }, 1_000);
  await expect(takeAttempt(application.orm.em.fork(), attempt, now)).rejects.toMatchObject({ retryAfterSeconds });
});

describe('an account', () => {
  const limits = accountLimits;
  const changes = limits.changesPerOperatorPerDay;
  type Turn = (owner: PortalClient, turn: number) => Promise<Answer<unknown>>;
  const idOf = async (owner: PortalClient) => (await actorOf(owner)).operatorId;
  const muting: Turn = (owner, turn) => owner.call('setNotificationPreferences', { input: { muted: turn === 1 ? ['webhooks'] : [] } });
  const renewal: Turn = async (owner, turn) => {
    const [integration] = await application.rows<{ id: string }>(
      `select k.id from client k join integration i on i.id = k.integration_id where i.operator_id = $1 and k.environment = 'sandbox'`,
      [await idOf(owner)],
    );
    return owner.call('setRenewalByEst', { input: { clientId: integration?.id, enabled: turn === 1 } });
  };
  const ending: Turn = async (owner) => {
    await signInWith(application.browser(), owner.passkey);
    const other = (await sessionsOf(owner)).find(({ current }) => !current);
    return owner.call('endSession', { input: { sessionId: other?.id } });
  };
  const submitting: Turn = async (owner) => {
    const [integration] = await application.rows<{ id: string }>('select id from integration where operator_id = $1', [await idOf(owner)]);
    await addLogo(application, integration?.id ?? '');
    const answer = await owner.call<{ id: string }>('submitForReview', { input: goodSubmission(integration?.id ?? '') });
    if (answer.data) await owner.must('withdrawSubmission', { input: { submissionId: answer.data.id } });
    return answer;
  };
  const reporting: Turn = async (owner) => {
    const [integration] = await application.rows<{ id: string }>('select id from integration where operator_id = $1', [await idOf(owner)]);
    return owner.call('reportBusinessModelChange', { input: { integrationId: integration?.id, description: 'Adverts.' } });
  };

  test.each<[string, string, number, Turn]>([
    ['changes its notifications', 'change_operator', changes, muting],
    ['switches renewals on and off', 'change_operator', changes, renewal],
    ['adds passkeys', 'passkey_operator', limits.passkeysAddedPerOperatorPerDay, (owner, turn) => tryAddPasskey(owner, `Key ${turn}`, {})],
    ['ends sessions one by one', 'session_operator', limits.sessionsEndedPerOperatorPerDay, ending],
    [
      'makes recovery codes again',
      'recovery_codes_operator',
      limits.recoveryCodesPerOperatorPerDay,
      (owner) => owner.call('regenerateRecoveryCodes'),
    ],
    ['submits for review and withdraws', 'submission_operator', limits.submissionsPerOperatorPerDay, submitting],
    ['reports business models', 'business_model_report_operator', limits.businessModelReportsPerOperatorPerDay, reporting],
  ])('%s within the limit %s of %d', async (_, kind, most, turn) => {
    const owner = await application.operator();
    await owner.createIntegration();
    await owner.confirmFreshly();
    await countedAttempts(application, { kind, source: await idOf(owner), since: application.clock.now() }, most - 1);
    expect(codesOf(await turn(owner, 1))).toEqual([]);
    const refused = await turn(owner, 2);
    expect(codesOf(refused)).toEqual(['RATE_LIMITED']);
    expect(refused.errors[0]?.message).toContain(String(most));
    // What an owner needs against an intruder in the account.
    expect(codesOf(await owner.call('endOtherSessions'))).toEqual([]);
    const passkey = (await passkeysOf(owner)).find(({ name }) => name === 'Key 1');
    if (passkey) expect(codesOf(await remove(owner, passkey.id))).toEqual([]);
  });
});

test('a forwarded address that anybody could claim does not dodge a limit; one from a proxy of ours is counted for itself', async () => {
  const proxied = await openWorld({ portal: { env: { TRUSTED_PROXIES: '127.0.0.1' } } });
  try {
    const tryFrom = (on: PortalWorld, address: string) =>
      on.browser().call('redeemRecoveryCode', { input: { code: unknownCode } }, { 'x-forwarded-for': `198.51.100.1, ${address}` });
    for (let attempt = 0; attempt < 10; attempt += 1) {
      for (const on of [application, proxied]) expect(codesOf(await tryFrom(on, '203.0.113.9'))).toEqual(['NOT_FOUND']);
    }
    expect(codesOf(await tryFrom(application, '203.0.113.10'))).toEqual(['RATE_LIMITED']);
    expect(codesOf(await tryFrom(proxied, '203.0.113.9'))).toEqual(['RATE_LIMITED']);
    expect(codesOf(await tryFrom(proxied, '203.0.113.10'))).toEqual(['NOT_FOUND']);
    for (const part of ['1', '2', '3']) {
      await proxied.rows("update attempt_window set count = 10 where source = '2001:db8:0:7::/64'");
      expect(codesOf(await tryFrom(proxied, `2001:db8:0:7::${part}`))).toEqual([part === '1' ? 'NOT_FOUND' : 'RATE_LIMITED']);
    }
  } finally {
    await proxied.close();
  }
});

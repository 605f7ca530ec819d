import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { SoftwarePasskey, type Misbehaviour } from '../../../demo/SoftwarePasskey.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, type Answer, type PortalClient, type Viewer } from '../../support/clients/portalClient.ts';
import { waitForLock } from '../../support/database/waitForLock.ts';

const minute = 60_000;

let application: PortalWorld;
beforeAll(async () => {
  application = await openWorld({ portal: true });
});
afterAll(() => application.close());

const signInOptions = (client: PortalClient) => client.must<PublicKeyCredentialRequestOptionsJSON>('beginSignIn');
const confirmationOptions = (client: PortalClient) => client.must<PublicKeyCredentialRequestOptionsJSON>('beginPasskeyConfirmation');
const finishSignIn = (client: PortalClient, response: unknown) => client.call<Viewer>('finishSignIn', { input: { response } });
/** The same browser without its session. */
function sameBrowser({ browser }: PortalClient): PortalClient {
  const same = application.browser();
  same.browser = browser;
  return same;
}
const finishConfirmation = (client: PortalClient, response: unknown) =>
  client.call<Viewer>('finishPasskeyConfirmation', { input: { response } });

const misbehaviours: [string, string, string, Misbehaviour][] = [
  ['without user verification', 'Set up a screen lock', 'own', { userVerified: false }],
  ['without user presence', 'The device was not touched', 'own', { userPresent: false }],
  ['signed by another key', 'does not open an account here', 'own', { forgedSignature: true }],
  ['for another challenge', 'older than five minutes', 'own', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
  ['for another relying party', 'at another address', 'own', { rpId: 'evil.example' }],
  ['from another origin', 'at another address', 'http://localhost:1', {}],
  ['inside a page of another site', 'in a tab of its own', 'own', { crossOrigin: true }],
];

describe('signing in', () => {
  test('takes no address and finds the operator by the passkey', async () => {
    const operator = await application.operator('sign-in@example.com');
    await operator.must('signOut');
    const options = await signInOptions(operator);
    expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required' });
    expect(options.allowCredentials ?? []).toEqual([]);
    const answer = await finishSignIn(operator, operator.passkey.get(options, operator.origin));
    expect(answer.data).toMatchObject({ kind: 'full', email: 'sign-in@example.com', confirmedUntil: null });
    expect((await operator.viewer()).data).toMatchObject({ kind: 'full', email: 'sign-in@example.com' });
  });

  test('sets one cookie for this host alone that no script can read', async () => {
    const operator = await application.operator();
    const answer = await finishSignIn(operator, operator.passkey.get(await signInOptions(operator), operator.origin));
    expect(operator.cookieName).toBe(`__Host-svc_session_${new URL(application.portalUrl).port}`);
    const [cookie, ...others] = answer.headers.getSetCookie();
    expect(others).toEqual([]);
    expect(cookie?.split('; ').slice(1).sort()).toEqual(['HttpOnly', 'Path=/', 'SameSite=Strict', 'Secure']);
    expect(cookie).toMatch(new RegExp(`^${operator.cookieName}=ses_[0-9a-z]{26}\\.0\\.[\\w-]{43};`));
  });

  test.each(misbehaviours)('refuses an assertion %s, and says the reason', async (_what, words, origin, misbehaviour) => {
    const operator = await application.operator();
    const visitor = application.browser();
    const response = operator.passkey.get(await signInOptions(visitor), origin === 'own' ? visitor.origin : origin, misbehaviour);
    const answer = await finishSignIn(visitor, response);
    expect(codesOf(answer)).toEqual(['UNAUTHENTICATED']);
    expect(answer.errors[0]?.message).toContain(words);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('refuses an assertion that does not say whose passkey it is, or names another account', async () => {
    const [operator, stranger] = [await application.operator(), await application.operator()];
    const respond = async (client: PortalClient) => client.passkey.get(await signInOptions(operator), operator.origin);
    const { userHandle: foreign } = (await respond(stranger)).response;
    for (const userHandle of [undefined, null, '', foreign]) {
      const { response, ...head } = await respond(operator);
      expect(codesOf(await finishSignIn(operator, { ...head, response: { ...response, userHandle } }))).toEqual(['UNAUTHENTICATED']);
    }
    expect((await finishSignIn(operator, await respond(operator))).data).toMatchObject({ kind: 'full' });
  });

  test('refuses a passkey that nobody enrolled, with the same words as a bad one', async () => {
    const visitor = application.browser();
    const stranger = new SoftwarePasskey();
    stranger.create(
      {
        rp: { id: 'localhost', name: 'x' },
        user: { id: 'AA', name: 'x', displayName: 'x' },
        challenge: 'AA',
        pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
      },
      visitor.origin,
    );
    const unknown = await finishSignIn(visitor, stranger.get(await signInOptions(visitor), visitor.origin));
    const operator = await application.operator();
    const forged = await finishSignIn(
      visitor,
      operator.passkey.get(await signInOptions(visitor), visitor.origin, { forgedSignature: true }),
    );
    expect(unknown.text).toBe(forged.text);
  });

  test('takes a synced passkey whose counter has fallen behind, since its copies count for themselves', async () => {
    const operator = application.browser();
    await operator.beginEnrolment();
    await operator.enrol(operator.passkey.create(await operator.creationOptions(), operator.origin, { synced: true }));
    for (const counter of [7, 3, 3, 0, 5]) {
      const response = operator.passkey.get(await signInOptions(operator), operator.origin, { counter, synced: true });
      expect((await finishSignIn(operator, response)).errors).toEqual([]);
    }
  });

  test('refuses a copied passkey whose counter has fallen behind', async () => {
    const operator = await application.operator();
    await operator.signIn();
    await operator.signIn();
    const answer = await finishSignIn(operator, operator.passkey.get(await signInOptions(operator), operator.origin, { counter: 1 }));
    expect(codesOf(answer)).toEqual(['UNAUTHENTICATED']);
    expect(answer.errors[0]?.message).toContain('there may be a copy of it');
  });

  test('takes an assertion once', async () => {
    const operator = await application.operator();
    const response = operator.passkey.get(await signInOptions(operator), operator.origin);
    const answers = await Promise.all(Array.from({ length: 10 }, () => finishSignIn(sameBrowser(operator), response)));
    expect(answers.filter(({ data }) => data !== null)).toHaveLength(1);
    expect(codesOf(await finishSignIn(operator, response))).toEqual(['UNAUTHENTICATED']);
  });

  test('refuses a challenge that was made for a confirmation or is five minutes old', async () => {
    const operator = await application.operator();
    const confirmation = operator.passkey.get(await confirmationOptions(operator), operator.origin);
    expect(codesOf(await finishSignIn(operator, confirmation))).toEqual(['UNAUTHENTICATED']);
    const options = await signInOptions(operator);
    application.clock.advance(5 * minute);
    expect(codesOf(await finishSignIn(operator, operator.passkey.get(options, operator.origin)))).toEqual(['UNAUTHENTICATED']);
  });

  test('is finished by the browser that began it, and by no other', async () => {
    const operator = await application.operator();
    const [asked, other, without] = [application.browser(), application.browser(), application.browser()];
    await signInOptions(other);
    const response = operator.passkey.get(await signInOptions(asked), operator.origin);
    for (const client of [other, without]) expect(codesOf(await finishSignIn(client, response))).toEqual(['UNAUTHENTICATED']);
    expect((await finishSignIn(asked, response)).data).toMatchObject({ kind: 'full' });
  });

  test('gives the browser one secret for all that it begins, which no script and no other site can read', async () => {
    const visitor = application.browser();
    const { headers } = await visitor.call('beginSignIn');
    const { browser } = visitor;
    await signInOptions(visitor);
    expect(visitor.browser).toBe(browser);
    const name = `__Host-svc_browser_${new URL(application.portalUrl).port}`;
    expect(headers.getSetCookie()).toEqual([`${name}=${browser}; Path=/; HttpOnly; Secure; SameSite=Strict; Max-Age=1800`]);
  });

  test.each([null, 'text', [], {}, { id: 'x', response: {} }])('refuses a response of another shape: %j', async (response) => {
    const codes = codesOf(await finishSignIn(application.browser(), response));
    expect(['UNAUTHENTICATED', 'BAD_USER_INPUT']).toContain(codes[0]);
  });
});

describe('assertions at the same moment', () => {
  /** Sends both so that they have read the passkey's counter before either can write it. */
  async function atOnce(operator: PortalClient, finish: readonly (() => Promise<Answer<Viewer>>)[]): Promise<Answer<Viewer>[]> {
    const holding = await application.pool.connect();
    try {
      await holding.query('begin');
      await holding.query('select 1 from passkey p join operator o on o.id = p.operator_id where o.email = $1 for update of p', [
        operator.email,
      ]);
      const answers = Promise.all(finish.map((run) => run()));
      await waitForLock(application, finish.length);
      await holding.query('commit');
      return await answers;
    } finally {
      holding.release();
    }
  }
  const outcomes = (answers: Answer<Viewer>[]) => answers.map(codesOf).sort((a, b) => a.length - b.length);

  test('with one signature counter let one in, since one of them was made by a copy of the passkey', async () => {
    const operator = await application.operator();
    const respond = async () => operator.passkey.get(await signInOptions(operator), operator.origin, { counter: 7 });
    const responses = [await respond(), await respond()];
    const answers = await atOnce(
      operator,
      responses.map((response) => () => finishSignIn(sameBrowser(operator), response)),
    );
    expect(outcomes(answers)).toEqual([[], ['UNAUTHENTICATED']]);
  });

  test('confirm once with one signature counter', async () => {
    const operator = await application.operator();
    const respond = async () => operator.passkey.get(await confirmationOptions(operator), operator.origin, { counter: 7 });
    const responses = [await respond(), await respond()];
    const answers = await atOnce(
      operator,
      responses.map((response) => () => finishConfirmation(operator.copy(), response)),
    );
    expect(outcomes(answers)).toEqual([[], ['UNAUTHENTICATED']]);
  });

  test('of a passkey that does not count are all good', async () => {
    const operator = await application.operator();
    const respond = async () => operator.passkey.get(await signInOptions(operator), operator.origin, { counter: 0 });
    for (const response of [await respond(), await respond()]) {
      expect((await finishSignIn(sameBrowser(operator), response)).errors).toEqual([]);
    }
  });
});

describe('signing in again', () => {
  const endOf = async (cookie: string | undefined) => {
    const [row] = await application.rows<{ end_reason: string | null }>('select end_reason from portal_session where id = $1', [
      (cookie ?? '').split('.')[0],
    ]);
    return row?.end_reason;
  };

  test('ends the session that this browser had, by a passkey, a mailed link or a recovery code alike', async () => {
    const operator = await application.operator();
    const first = operator.copy();
    await operator.signIn();
    expect((await first.viewer()).data).toBeNull();
    const second = operator.copy();
    await operator.beginEnrolment();
    expect((await second.viewer()).data).toBeNull();
    const enrolment = operator.copy();
    await operator.must('redeemRecoveryCode', { input: { code: operator.recoveryCodes[0] } });
    expect((await enrolment.viewer()).data).toBeNull();
    for (const { cookie } of [first, second, enrolment]) expect(await endOf(cookie)).toBe('signed in again');
    const trail = await application.rows("select subject_id from audit_entry where action = 'session.replaced' and subject_id = any ($1)", [
      [first, second].map(({ cookie }) => cookie?.split('.')[0]),
    ]);
    expect(trail).toHaveLength(2);
  });

  test('leaves at most twenty live sessions of an account; the oldest end', async () => {
    const operator = await application.operator();
    const oldest = operator.copy();
    const second = await operator.elsewhere();
    for (let count = 2; count < 20; count += 1) await operator.elsewhere();
    expect((await oldest.viewer()).data).not.toBeNull();
    await operator.elsewhere();
    expect((await oldest.viewer()).data).toBeNull();
    expect((await second.viewer()).data).not.toBeNull();
    expect(await endOf(oldest.cookie)).toBe('too many sessions');
  });
});

describe('signing out', () => {
  test('ends the session on the server and takes the cookie away', async () => {
    const operator = await application.operator();
    const copy = operator.copy();
    const { headers } = await operator.call('signOut');
    expect(headers.getSetCookie()[0]).toMatch(/^__Host-svc_session_\d+=; .*Max-Age=0/);
    expect(operator.cookie).toBeUndefined();
    expect((await copy.viewer()).data).toBeNull();
    expect(codesOf(await copy.call('integrations'))).toEqual(['UNAUTHENTICATED']);
  });

  test('is recorded, once', async () => {
    const operator = await application.operator();
    const [id] = (operator.cookie ?? '').split('.');
    await Promise.all([operator.copy().call('signOut'), operator.copy().call('signOut')]);
    const trail = await application.rows(
      "select action, operator_id from audit_entry where subject_id = $1 and action <> 'session.opened'",
      [id],
    );
    expect(trail).toEqual([{ action: 'session.signed_out', operator_id: expect.stringMatching(/^opr_/) }]);
  });

  test('leaves the other sessions of the operator alone', async () => {
    const operator = await application.operator();
    const first = await operator.elsewhere();
    await operator.must('signOut');
    expect((await first.viewer()).data).toMatchObject({ kind: 'full' });
  });

  test('leaves an enrolment as well', async () => {
    const visitor = application.browser();
    await visitor.beginEnrolment();
    await visitor.must('signOut');
    expect((await visitor.viewer()).data).toBeNull();
  });
});

describe('a fresh passkey confirmation', () => {
  test('is asked of the operator’s own passkeys and is good for five minutes', async () => {
    const operator = await application.operator();
    const options = await confirmationOptions(operator);
    expect(options.allowCredentials).toHaveLength(1);
    const before = application.clock.now().getTime();
    const { confirmedUntil } = await operator.confirmFreshly();
    expect(Date.parse(confirmedUntil ?? '') - before).toBeGreaterThanOrEqual(5 * minute);
    expect(Date.parse(confirmedUntil ?? '') - before).toBeLessThan(5 * minute + 10_000);
    expect((await operator.viewer()).data?.confirmedUntil).toBe(confirmedUntil);
  });

  test('gives the cookie a new secret, and a copy of the former one is not confirmed', async () => {
    const operator = await application.operator();
    const copy = operator.copy();
    await operator.confirmFreshly();
    expect(operator.cookie).not.toBe(copy.cookie);
    expect((await operator.viewer()).data?.confirmedUntil).not.toBeNull();
    expect((await copy.viewer()).data).toMatchObject({ kind: 'full', confirmedUntil: null });
    expect(codesOf(await copy.call('regenerateRecoveryCodes'))).toEqual(['FRESH_PASSKEY_REQUIRED']);
    application.clock.advance(61_000);
    expect((await copy.viewer()).data).toBeNull();
    expect((await operator.viewer()).data).toBeNull();
  });

  test('at the moment of a rotation leaves requests in flight their cookie', async () => {
    const operator = await application.operator();
    const inFlight = operator.copy();
    const options = await confirmationOptions(operator);
    application.clock.advance(2 * minute);
    await application.rows("update portal_session set rotated_at = rotated_at - interval '10 minutes' where id = $1", [
      (operator.cookie ?? '').split('.')[0],
    ]);
    const response = operator.passkey.get(options, operator.origin);
    expect((await finishConfirmation(operator, response)).errors).toEqual([]);
    expect((await inFlight.viewer()).data).toMatchObject({ kind: 'full' });
    expect((await operator.viewer()).data?.confirmedUntil).not.toBeNull();
  });

  test.each(['1 minute', '10 minutes'])('holds for a page that asks and polls beside it, %s after the last rotation', async (since) => {
    const operator = await application.operator();
    const response = operator.passkey.get(await confirmationOptions(operator), operator.origin);
    await application.rows('update portal_session set rotated_at = rotated_at - $2::interval where id = $1', [
      (operator.cookie ?? '').split('.')[0],
      since,
    ]);
    const poll = () => operator.viewer({ 'x-svc-background': '1' });
    const beside = () => [operator.viewer(), poll(), operator.viewer(), poll()];
    const [finished] = await Promise.all([finishConfirmation(operator, response), ...beside(), ...beside()]);
    expect(finished.errors).toEqual([]);
    // Any of the answers may have set the cookie, in whatever order they came.
    for (const { data } of await Promise.all(beside())) expect(data?.confirmedUntil).not.toBeNull();
    application.clock.advance(2 * minute);
    expect((await operator.viewer()).data?.confirmedUntil).not.toBeNull();
  });

  test('belongs to one session: another of the same operator stays unconfirmed', async () => {
    const operator = await application.operator();
    const other = await operator.elsewhere();
    await operator.confirmFreshly();
    expect((await other.viewer()).data?.confirmedUntil).toBeNull();
  });

  test.each(misbehaviours)('is refused for an assertion %s', async (_what, _words, origin, misbehaviour) => {
    const operator = await application.operator();
    const response = operator.passkey.get(await confirmationOptions(operator), origin === 'own' ? operator.origin : origin, misbehaviour);
    expect(codesOf(await finishConfirmation(operator, response))).toEqual(['UNAUTHENTICATED']);
    expect((await operator.viewer()).data?.confirmedUntil).toBeNull();
  });

  test('needs no user handle, since the session says who it is; one of another account is refused', async () => {
    const [operator, stranger] = [await application.operator(), await application.operator()];
    const respond = async (client: PortalClient) => client.passkey.get(await confirmationOptions(client), client.origin);
    const { userHandle: foreign } = (await respond(stranger)).response;
    for (const [userHandle, codes] of [
      [foreign, ['UNAUTHENTICATED']],
      [undefined, []],
    ] as const) {
      const { response, ...head } = await respond(operator);
      expect(codesOf(await finishConfirmation(operator, { ...head, response: { ...response, userHandle } }))).toEqual(codes);
    }
  });

  test('cannot be given by the passkey of another operator', async () => {
    const [operator, stranger] = [await application.operator(), await application.operator()];
    const options = { ...(await confirmationOptions(operator)), allowCredentials: [] };
    expect(codesOf(await finishConfirmation(operator, stranger.passkey.get(options, operator.origin)))).toEqual(['UNAUTHENTICATED']);
    expect((await operator.viewer()).data?.confirmedUntil).toBeNull();
  });

  test('takes its challenge once, in its own session only, and not one of a sign-in', async () => {
    const operator = await application.operator();
    const other = await operator.elsewhere();
    const elsewhere = operator.passkey.get(await confirmationOptions(other), operator.origin);
    expect(codesOf(await finishConfirmation(operator, elsewhere))).toEqual(['UNAUTHENTICATED']);
    const signIn = operator.passkey.get(await signInOptions(operator), operator.origin);
    expect(codesOf(await finishConfirmation(operator, signIn))).toEqual(['UNAUTHENTICATED']);
    const response = operator.passkey.get(await confirmationOptions(operator), operator.origin);
    expect((await finishConfirmation(operator, response)).errors).toEqual([]);
    expect(codesOf(await finishConfirmation(operator, response))).toEqual(['UNAUTHENTICATED']);
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { SoftwarePasskey, type Misbehaviour } from '../../demo/SoftwarePasskey.ts';
import { startPortalApplication, type PortalApplication } from '../support/portalApplication.ts';
import { codesOf, type PortalClient, type Viewer } from '../support/portalClient.ts';

const minute = 60_000;

let application: PortalApplication;
beforeAll(async () => {
  application = await startPortalApplication();
});
afterAll(() => application.stop());

const signInOptions = (client: PortalClient) => client.must<PublicKeyCredentialRequestOptionsJSON>('beginSignIn');
const confirmationOptions = (client: PortalClient) => client.must<PublicKeyCredentialRequestOptionsJSON>('beginPasskeyConfirmation');
const finishSignIn = (client: PortalClient, response: unknown) => client.call<Viewer>('finishSignIn', { input: { response } });
const finishConfirmation = (client: PortalClient, response: unknown) =>
  client.call<Viewer>('finishPasskeyConfirmation', { input: { response } });

const misbehaviours: [string, string, Misbehaviour][] = [
  ['without user verification', 'own', { userVerified: false }],
  ['without user presence', 'own', { userPresent: false }],
  ['signed by another key', 'own', { forgedSignature: true }],
  ['for another challenge', 'own', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
  ['for another relying party', 'own', { rpId: 'evil.example' }],
  ['from another origin', 'http://localhost:1', {}],
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

  test.each(misbehaviours)('refuses an assertion %s', async (_what, origin, misbehaviour) => {
    const operator = await application.operator();
    const visitor = application.browser();
    const response = operator.passkey.get(await signInOptions(visitor), origin === 'own' ? visitor.origin : origin, misbehaviour);
    const answer = await finishSignIn(visitor, response);
    expect(codesOf(answer)).toEqual(['UNAUTHENTICATED']);
    expect(answer.headers.getSetCookie()).toEqual([]);
  });

  test('refuses an assertion that does not say whose passkey it is, or names another account', async () => {
    const [operator, stranger] = [await application.operator(), await application.operator()];
    const respond = async (client: PortalClient) => client.passkey.get(await signInOptions(operator), operator.origin);
    const { userHandle: foreign } = (await respond(stranger)).response;
    for (const userHandle of [undefined, null, '', foreign]) {
      const { response, ...head } = await respond(operator);
      expect(codesOf(await finishSignIn(application.browser(), { ...head, response: { ...response, userHandle } }))).toEqual([
        'UNAUTHENTICATED',
      ]);
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

  test('refuses a copied passkey whose counter has fallen behind', async () => {
    const operator = await application.operator();
    await operator.signIn();
    await operator.signIn();
    const answer = await finishSignIn(operator, operator.passkey.get(await signInOptions(operator), operator.origin, { counter: 1 }));
    expect(codesOf(answer)).toEqual(['UNAUTHENTICATED']);
  });

  test('takes an assertion once', async () => {
    const operator = await application.operator();
    const response = operator.passkey.get(await signInOptions(operator), operator.origin);
    const answers = await Promise.all(Array.from({ length: 10 }, () => finishSignIn(application.browser(), response)));
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

  test.each([null, 'text', [], {}, { id: 'x', response: {} }])('refuses a response of another shape: %j', async (response) => {
    const codes = codesOf(await finishSignIn(application.browser(), response));
    expect(['UNAUTHENTICATED', 'BAD_USER_INPUT']).toContain(codes[0]);
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
    expect(trail).toEqual([{ action: 'session.signedOut', operator_id: expect.stringMatching(/^opr_/) }]);
  });

  test('leaves the other sessions of the operator alone', async () => {
    const operator = await application.operator();
    const first = operator.copy();
    await operator.signIn();
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

  test('belongs to one session: another of the same operator stays unconfirmed', async () => {
    const operator = await application.operator();
    const other = operator.copy();
    await operator.signIn();
    await operator.confirmFreshly();
    expect((await other.viewer()).data?.confirmedUntil).toBeNull();
  });

  test.each(misbehaviours)('is refused for an assertion %s', async (_what, origin, misbehaviour) => {
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

  test('leaves at most twenty challenges of a session, the newest ones', async () => {
    const operator = await application.operator();
    const begun: PublicKeyCredentialRequestOptionsJSON[] = [];
    for (let count = 0; count < 25; count += 1) begun.push(await confirmationOptions(operator));
    const [id] = (operator.cookie ?? '').split('.');
    expect(await application.rows('select 1 from webauthn_challenge where session_id = $1', [id])).toHaveLength(20);
    const answer = (options: PublicKeyCredentialRequestOptionsJSON) =>
      finishConfirmation(operator, operator.passkey.get(options, operator.origin));
    expect(codesOf(await answer(begun[0] as PublicKeyCredentialRequestOptionsJSON))).toEqual(['UNAUTHENTICATED']);
    expect(codesOf(await answer(begun[24] as PublicKeyCredentialRequestOptionsJSON))).toEqual([]);
  });

  test('takes its challenge once, in its own session only, and not one of a sign-in', async () => {
    const operator = await application.operator();
    const other = operator.copy();
    await operator.signIn();
    const elsewhere = operator.passkey.get(await confirmationOptions(other), operator.origin);
    expect(codesOf(await finishConfirmation(operator, elsewhere))).toEqual(['UNAUTHENTICATED']);
    const signIn = operator.passkey.get(await signInOptions(operator), operator.origin);
    expect(codesOf(await finishConfirmation(operator, signIn))).toEqual(['UNAUTHENTICATED']);
    const response = operator.passkey.get(await confirmationOptions(operator), operator.origin);
    expect((await finishConfirmation(operator, response)).errors).toEqual([]);
    expect(codesOf(await finishConfirmation(operator, response))).toEqual(['UNAUTHENTICATED']);
  });
});

import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { accountOf, addPasskey, enrolAgain, passkeysOf, redeem, sessionsOf, signInWith } from '../../support/clients/accountClient.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, fieldsOf, type PortalClient } from '../../support/clients/portalClient.ts';

const minute = 60_000;

let application: PortalWorld;
beforeAll(async () => {
  application = await openWorld({ portal: true });
});
afterAll(() => application.close());

const isSignedIn = async (client: PortalClient) => (await client.viewer()).data !== null;
const trailOf = (operatorId: string | null | undefined) =>
  application.rows<{ action: string; details: unknown }>(
    "select action, details from audit_entry where operator_id = $1 and action ~ '^(recovery|operator)' order by id",
    [operatorId],
  );

describe('a recovery code', () => {
  test('takes no address, ends every session and passkey, and leads to enrolling a passkey', async () => {
    const operator = await application.operator();
    const { authenticator } = await addPasskey(operator, 'Phone');
    const elsewhere = application.browser();
    await signInWith(elsewhere, authenticator);

    const { operatorId } = await accountOf(operator);
    const visitor = application.browser();
    const { data } = await redeem(visitor, operator.recoveryCodes[0]);
    expect(data).toMatchObject({ kind: 'recovery', email: operator.email, operatorId: null, roles: [], confirmedUntil: null });
    expect(await isSignedIn(operator)).toBe(false);
    expect(await isSignedIn(elsewhere)).toBe(false);
    for (const passkey of [operator.passkey, authenticator]) {
      expect(codesOf(await signInWith(application.browser(), passkey))).toEqual(['UNAUTHENTICATED']);
    }
    expect(await trailOf(operatorId)).toEqual([
      { action: 'operator.registered', details: {} },
      { action: 'recovery_code.used', details: { passkeysRemoved: 2, sessionsEnded: 2 } },
    ]);
  });

  test('opens a session that reads nothing of the account: no acceptance, no address that one came from', async () => {
    const operator = await application.operator();
    await operator.must('acceptTerms', { input: { version: 1, nonCommercial: true, attribution: true } });
    await application.rows("update operator set roles = '{administrator}' where id = $1", [(await accountOf(operator)).operatorId]);
    const query = `{ viewer { kind email operatorId roles confirmedUntil acceptedTermsVersion termsToAccept
      termsAcceptances { termsVersion acceptedAt ip } } }`;
    const readBy = async (client: PortalClient) => JSON.parse((await client.graphql(query)).text).data.viewer;
    expect((await readBy(operator)).termsAcceptances).toEqual([expect.objectContaining({ termsVersion: 1, ip: '127.0.0.1' })]);
    const recovering = application.browser();
    await redeem(recovering, operator.recoveryCodes[0]);
    const enrolling = application.browser();
    await enrolling.beginEnrolment();
    for (const [client, kind, email] of [
      [recovering, 'recovery', operator.email],
      [enrolling, 'enrolment', enrolling.email],
    ] as const) {
      expect(await readBy(client)).toEqual({
        kind,
        email,
        operatorId: null,
        roles: [],
        confirmedUntil: null,
        acceptedTermsVersion: null,
        termsToAccept: null,
        termsAcceptances: [],
      });
    }
  });

  test('opens a session that can do nothing but enrol or sign out', async () => {
    const operator = await application.operator();
    const integration = await operator.createIntegration();
    const certificate = await operator.issuedCertificate(integration);
    await redeem(operator, operator.recoveryCodes[0]);
    for (const operation of ['integrations', 'account', 'sessions', 'beginPasskeyConfirmation', 'beginPasskeyAddition'] as const) {
      expect([operation, codesOf(await operator.call(operation))]).toEqual([operation, ['FORBIDDEN']]);
    }
    expect((await operator.fetch(certificate.bundlePath ?? '')).status).toBe(401);
    expect((await operator.fetch('/exports/audit-trail.csv')).status).toBe(403);
    expect((await operator.fetch(`/integrations/${integration.slug}/logo`, { method: 'POST', body: 'x' })).status).toBe(401);
    expect((await operator.viewer()).data).toMatchObject({ kind: 'recovery' });
    await operator.must('signOut');
    expect(await isSignedIn(operator)).toBe(false);
  });

  test('followed by a new passkey gives the account back, roles and integrations included, with new codes', async () => {
    const operator = await application.operator();
    const { slug } = await operator.createIntegration();
    const { operatorId } = await accountOf(operator);
    await application.rows("update operator set roles = '{reviewer}' where id = $1", [operatorId]);
    const [used, unused] = operator.recoveryCodes;
    await redeem(operator, used);
    const codes = await enrolAgain(operator);

    expect((await operator.viewer()).data).toMatchObject({ kind: 'full', operatorId, roles: ['reviewer'] });
    expect((await operator.call('integration', { slug })).errors).toEqual([]);
    expect((await passkeysOf(operator)).map(({ name }) => name)).toEqual(['New phone']);
    expect(new Set([...codes, ...operator.recoveryCodes]).size).toBe(20);
    expect((await accountOf(operator)).recoveryCodes?.unused).toBe(10);
    for (const old of [used, unused]) expect(codesOf(await redeem(application.browser(), old))).toEqual(['NOT_FOUND']);
    expect((await redeem(application.browser(), codes[0])).data).toMatchObject({ kind: 'recovery' });
    expect((await trailOf(operatorId)).map(({ action }) => action)).toEqual([
      'operator.registered',
      'recovery_code.used',
      'operator.recovered',
      'recovery_code.used',
    ]);
  });

  test('and the new passkey are reported to the owner by mail, with how many codes are left', async () => {
    const operator = await application.operator();
    await redeem(operator, operator.recoveryCodes[0]);
    const [used] = await operator.mails();
    expect(used?.subject).toMatch(/recovery code/i);
    expect(used?.text).toMatch(/\b9\b/);
    await enrolAgain(operator);
    const [enrolled] = await operator.mails();
    expect(enrolled?.subject).toMatch(/passkey/i);
    for (const mail of await operator.mails()) for (const code of operator.recoveryCodes) expect(mail.text).not.toContain(code);
  });

  test('that was the last one is reported as such, because no other code could take the account back', async () => {
    const operator = await application.operator();
    for (const code of operator.recoveryCodes) expect(codesOf(await redeem(application.browser(), code))).toEqual([]);
    const texts = (await operator.mails()).filter(({ subject }) => /recovery code/i.test(subject)).map(({ text }) => text);
    expect(texts).toHaveLength(10);
    expect(texts.filter((text) => text.includes('use another recovery code at once'))).toHaveLength(9);
    expect(texts.filter((text) => text.includes('It was your last code'))).toHaveLength(1);
  });

  test('leaves the other codes valid when the recovery is abandoned; the next one ends it', async () => {
    const operator = await application.operator();
    const [first, second] = operator.recoveryCodes;
    const abandoned = application.browser();
    await redeem(abandoned, first);
    expect(codesOf(await redeem(application.browser(), first))).toEqual(['NOT_FOUND']);
    const visitor = application.browser();
    expect((await redeem(visitor, second)).data).toMatchObject({ kind: 'recovery' });
    expect(await isSignedIn(abandoned)).toBe(false);
    await enrolAgain(visitor);
    expect(await isSignedIn(visitor)).toBe(true);
  });

  test('leaves 20 minutes to enrol; after that, it takes another code to start again', async () => {
    const operator = await application.operator();
    await redeem(operator, operator.recoveryCodes[0]);
    application.clock.advance(20 * minute);
    expect(await isSignedIn(operator)).toBe(false);
    expect((await redeem(operator, operator.recoveryCodes[1])).data).toMatchObject({ kind: 'recovery' });
  });

  test('used by ten at the same moment opens one session', async () => {
    const operator = await application.operator();
    application.clock.advance(16 * minute);
    const browsers = Array.from({ length: 10 }, () => application.browser());
    const answers = await Promise.all(browsers.map((browser) => redeem(browser, operator.recoveryCodes[0])));
    expect(answers.filter(({ data }) => data !== null)).toHaveLength(1);
    expect(answers.flatMap(codesOf).every((code) => code === 'NOT_FOUND' || code === 'RATE_LIMITED')).toBe(true);
    application.clock.advance(16 * minute);
  });

  test('of two used at the same moment one ends the other, and never two sessions are left', async () => {
    const operator = await application.operator();
    const [one, two] = [application.browser(), application.browser()];
    const answers = await Promise.all([redeem(one, operator.recoveryCodes[0]), redeem(two, operator.recoveryCodes[1])]);
    expect(answers.flatMap(codesOf)).toEqual([]);
    expect([await isSignedIn(one), await isSignedIn(two)].filter(Boolean)).toHaveLength(1);
  });

  test('ends also a sign-in and an addition that are under way', async () => {
    const operator = await application.operator();
    const visitor = application.browser();
    const begun = await visitor.must<PublicKeyCredentialRequestOptionsJSON>('beginSignIn');
    const response = operator.passkey.get(begun, operator.origin);
    await Promise.all([
      visitor.call('finishSignIn', { input: { response } }),
      addPasskey(operator.copy(), 'Thief').catch(() => null),
      redeem(application.browser(), operator.recoveryCodes[0]),
    ]);
    expect(await isSignedIn(visitor)).toBe(false);
    expect(await isSignedIn(operator)).toBe(false);
    const email = operator.email;
    expect(await application.rows('select 1 from passkey p join operator o on o.id = p.operator_id where o.email = $1', [email])).toEqual(
      [],
    );
  });

  test('is read in capitals, with blanks, and with the letters that look like digits', async () => {
    const operator = await application.operator();
    const typed = ` ${(operator.recoveryCodes[0] ?? '').toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O').replaceAll('1', 'I')} `;
    expect((await redeem(application.browser(), typed)).data).toMatchObject({ kind: 'recovery' });
  });

  test('that is unknown or used reads the same, and gives no cookie', async () => {
    const operator = await application.operator();
    await redeem(application.browser(), operator.recoveryCodes[0]);
    const answers = [
      await redeem(application.browser(), operator.recoveryCodes[0]),
      await redeem(application.browser(), '0000-0000-0000-0000'),
    ];
    expect(answers[0]?.text).toBe(answers[1]?.text);
    expect(answers.map(codesOf)).toEqual([['NOT_FOUND'], ['NOT_FOUND']]);
    for (const { headers } of answers) expect(headers.getSetCookie()).toEqual([]);
    application.clock.advance(16 * minute);
  });

  test.each(['', 'abcd', '0000-0000-0000-000', '0000-0000-0000-000u', '0'.repeat(17), 'x'.repeat(10_000)])(
    'of another form is refused at its field: %j',
    async (code) => {
      const answer = await redeem(application.browser(), code);
      expect(fieldsOf(answer)).toEqual({ 'input.code': expect.stringContaining('16 letters and digits') });
    },
  );

  test('of a deleted account is worth nothing', async () => {
    const operator = await application.operator();
    await application.rows('update operator set deleted_at = $2, email = null, email_key = null, user_handle = null where email = $1', [
      operator.email,
      application.clock.now(),
    ]);
    expect(codesOf(await redeem(application.browser(), operator.recoveryCodes[0]))).toEqual(['NOT_FOUND']);
  });
});

describe('regenerating the recovery codes', () => {
  test('needs a fresh confirmation, shows ten new ones, and ends the former', async () => {
    const operator = await application.operator();
    expect(codesOf(await operator.call('regenerateRecoveryCodes'))).toEqual(['FRESH_PASSKEY_REQUIRED']);
    await operator.confirmFreshly();
    application.clock.advance(minute);
    const codes = await operator.must<string[]>('regenerateRecoveryCodes');
    expect(new Set([...codes, ...operator.recoveryCodes]).size).toBe(20);
    const { recoveryCodes, operatorId } = await accountOf(operator);
    expect(recoveryCodes).toMatchObject({ unused: 10 });
    expect((await trailOf(operatorId)).at(-1)).toEqual({ action: 'recovery_code.regenerated', details: {} });
    expect(codesOf(await redeem(application.browser(), operator.recoveryCodes[0]))).toEqual(['NOT_FOUND']);
    expect(await isSignedIn(operator)).toBe(true);
    const [told] = await operator.mails();
    expect(told?.subject).toBe('You have new recovery codes');
    for (const code of codes) expect(told?.text).not.toContain(code);
    expect((await redeem(application.browser(), codes[0])).data).toMatchObject({ kind: 'recovery' });
  });

  test('at the same moment as a recovery leaves one set of codes, and no session beside the recovery', async () => {
    const operator = await application.operator();
    await operator.confirmFreshly();
    const visitor = application.browser();
    const [regenerated, redeemed] = await Promise.all([
      operator.call<string[]>('regenerateRecoveryCodes'),
      redeem(visitor, operator.recoveryCodes[0]),
    ]);
    expect([regenerated.data, redeemed.data].filter((data) => data !== null)).toHaveLength(1);
    if (redeemed.data) expect(await isSignedIn(operator)).toBe(false);
    else expect(await sessionsOf(operator)).toHaveLength(1);
  });
});

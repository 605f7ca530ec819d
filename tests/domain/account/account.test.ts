import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { emailKey, emailRefusal, parseEmail } from '../../../server/domain/account/emailAddress.ts';
import { hasRecoveryCodeForm, recoveryCodeHmac } from '../../../server/domain/account/recovery/recoveryCodes.ts';
import { removeExpired } from '../../../server/domain/retention/removeExpired.ts';
import { parseSessionCookie, sessionCookie } from '../../../server/domain/account/session/sessionCookie.ts';
import { newId } from '../../../server/domain/shared/ids.ts';
import { soleKey } from '../../../server/domain/shared/keySet.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';

describe('an email address', () => {
  test('longer than any mail server takes is refused by that rule, and is neither converted nor normalised', () => {
    const domain = (letters: number) =>
      `${Array.from({ length: letters }, (_, index) => String.fromCodePoint(0x4e00 + index)).join('')}.com`;
    expect(emailRefusal(`a@${domain(5_150)}`)).toBe('An email address has at most 254 characters.');
    expect(parseEmail(`a@${domain(5_150)}`)).toBeNull();
    expect(emailRefusal(` a@${domain(248)} `)).toBe('Enter an email address such as name@example.com.');
    // Normalised, each of these is three letters.
    const wide = '\u33c2'.repeat(300);
    expect(emailKey(`a@${wide}`)).toBe(`a@${wide}`);
  });

  test.each([
    [' name@example.com ', 'name@example.com'],
    ["o'neil+tag@mail.example.co.uk", "o'neil+tag@mail.example.co.uk"],
    ['r&d@example.com', 'r&d@example.com'],
    ['a=b@example.com', 'a=b@example.com'],
    ['{team}/x#1!~@example.museum', '{team}/x#1!~@example.museum'],
    ['Name@Example.COM', 'Name@example.com'],
    ['info@Bücher.example', 'info@xn--bcher-kva.example'],
    ['info@почта.рф', 'info@xn--80a1acny.xn--p1ai'],
    [`${'a'.repeat(64)}@example.com`, `${'a'.repeat(64)}@example.com`],
  ])('%j is taken', (typed, address) => {
    expect(parseEmail(typed)).toBe(address);
  });

  test.each([
    '',
    'name',
    '@example.com',
    'name@',
    'name@host',
    'a b@example.com',
    'a@b@example.com',
    'name@exa mple.com',
    'name@example.com\r\nBcc: x@example.com',
    '"a"<b@example.com>',
    `${'a'.repeat(245)}@example.com`,
    `${'a'.repeat(65)}@example.com`,
    '.a@example.com',
    'a..b@example.com',
    'müller@example.com',
    '"a b"@example.com',
    'a@[127.0.0.1]',
    'a@127.1',
    'a@ex%61mple.com',
    'a@-example.com',
    'a@example.com.',
    'a@example.com:25',
  ])('%j is refused', (typed) => {
    expect(parseEmail(typed)).toBeNull();
  });

  test('with other letters before the @ is refused with the reason', () => {
    expect(emailRefusal('müller@example.com')).toContain('Before the @');
    expect(emailRefusal('name', 'help@example.com')).toBe('Enter an email address such as help@example.com.');
  });

  test('is one account in every spelling of case', () => {
    expect(emailKey('Name@Example.COM')).toBe(emailKey('name@example.com'));
    expect(emailKey('info@BÜCHER.example')).toBe('info@xn--bcher-kva.example');
    expect(emailKey('name@example.com')).not.toBe(emailKey('names@example.com'));
  });
});

describe('a recovery code', () => {
  const key = randomBytes(32);
  test('is the same however it is typed', () => {
    const stored = recoveryCodeHmac(key, 'abcd-efgh-jkmn-pqrs');
    for (const typed of ['ABCD-EFGH-JKMN-PQRS', 'abcdefghjkmnpqrs', ' abcd efgh jkmn pqrs '])
      expect(recoveryCodeHmac(key, typed)).toEqual(stored);
    expect(recoveryCodeHmac(key, 'abcd-efgh-jkmn-pqrt')).not.toEqual(stored);
    expect(recoveryCodeHmac(randomBytes(32), 'abcd-efgh-jkmn-pqrs')).not.toEqual(stored);
    const lookAlikes = ['O0oO-IiLl-11jk-mnpq', '0OOo-liil-I1jk-MNPQ'];
    for (const typed of lookAlikes) expect(recoveryCodeHmac(key, typed)).toEqual(recoveryCodeHmac(key, '0000-1111-11jk-mnpq'));
  });

  test('is told from other text by its form, however it is typed', () => {
    const code = 'abcd-efgh-jkmn-pqrs';
    for (const typed of [code, 'ABCD EFGH JKMN PQRS', 'OOOO-IIII-LLLL-0000', `${code}${' '.repeat(45)}`]) {
      expect([typed, hasRecoveryCodeForm(typed)]).toEqual([typed, true]);
    }
    for (const typed of ['', 'abcd-efgh-jkmn-pqr', `${code}t`, 'abcd-efgh-jkmn-pqru', `${code}${' '.repeat(46)}`]) {
      expect([typed, hasRecoveryCodeForm(typed)]).toEqual([typed, false]);
    }
  });
});

describe('a session cookie', () => {
  const key = soleKey(randomBytes(32));
  const claim = { sessionId: newId('ses'), generation: 3 };

  test('is read back only with the key that made it', () => {
    expect(parseSessionCookie(key, sessionCookie(key, claim))).toEqual(claim);
    expect(parseSessionCookie(soleKey(randomBytes(32)), sessionCookie(key, claim))).toBeNull();
    const cookie = sessionCookie(key, claim);
    for (const altered of ['', 'x', `x${cookie}`, `${cookie}x`, `${cookie}\n`, cookie.replace('.3.', '.03.')]) {
      expect([altered, parseSessionCookie(key, altered)]).toEqual([altered, null]);
    }
  });

  test('has another secret for every generation and session', () => {
    const secrets = [claim, { ...claim, generation: 4 }, { ...claim, sessionId: newId('ses') }].map(
      (each) => sessionCookie(key, each).split('.')[2],
    );
    expect(new Set(secrets).size).toBe(3);
  });
});

describe('clearing up', () => {
  let application: PortalWorld;
  beforeAll(async () => {
    application = await openWorld({ portal: true });
  });
  afterAll(() => application.close());
  const count = async (table: string) => (await application.rows<{ n: number }>(`select count(*)::int as n from ${table}`))[0]?.n;

  test('removes used challenges when none can be used again, links and sessions a day later, and never an account', async () => {
    const operator = await application.operator();
    await operator.signIn();
    const run = () => removeExpired(application.orm.em.fork(), { now: application.clock.now() });
    await run();
    expect([await count('used_challenge'), await count('verification_link'), await count('portal_session')]).toEqual([2, 1, 3]);
    application.clock.advance(11 * 60_000);
    await run();
    expect([await count('used_challenge'), await count('verification_link'), await count('portal_session')]).toEqual([0, 1, 3]);
    application.clock.advance(33 * 60 * 60_000);
    await run();
    await run();
    expect([await count('verification_link'), await count('portal_session')]).toEqual([0, 0]);
    expect([await count('operator'), await count('passkey'), await count('recovery_code')]).toEqual([1, 1, 10]);
    expect(await operator.signIn()).toMatchObject({ kind: 'full' });
  });
});

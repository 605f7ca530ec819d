import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { recoveryCodeHmac } from '../../../server/domain/account/recovery/recoveryCodes.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, fieldsOf, type PortalClient, type Viewer } from '../../support/clients/portalClient.ts';

const minute = 60_000;

const bytes = (value: Buffer) =>
  Buffer.concat([value.length < 256 ? Buffer.of(0x58, value.length) : Buffer.of(0x59, value.length >> 8, value.length & 255), value]);
/** A COSE key (RFC 9053) on P-256 for an algorithm from -1 to -24 or -25 to -256, with this number as both coordinates. */
const ecKey = (algorithm: number, coordinate: Buffer) =>
  Buffer.concat([
    Buffer.of(0xa5, 1, 2, 3, ...(algorithm < -24 ? [0x38, -1 - algorithm] : [0x1f - algorithm]), 0x20, 1, 0x21),
    bytes(coordinate),
    Buffer.of(0x22),
    bytes(coordinate),
  ]);
/** A COSE key (RFC 8230) for RS256 with a modulus of so many bytes. */
const rsaKey = (length: number) =>
  Buffer.concat([Buffer.of(0xa4, 1, 3, 3, 0x39, 1, 0, 0x20), bytes(Buffer.alloc(length, 0xf1)), Buffer.of(0x21, 0x43, 1, 0, 1)]);

let application: PortalWorld;
beforeAll(async () => {
  application = await openWorld({ portal: true });
});
afterAll(() => application.close());

describe('asking for a registration', () => {
  test('a known and an unknown address get the same answer and one mail each; only the mail differs', async () => {
    const known = await application.operator('known@example.com');
    await known.must('signOut');
    const visitor = application.browser();
    const before = (await visitor.mails('known@example.com')).length;

    const answers = [];
    for (const email of ['known@example.com', 'unknown@example.com']) {
      const { status, text, headers } = await visitor.call('requestRegistration', { input: { email } });
      answers.push({ status, text, headers: [...headers.keys()].sort() });
    }
    expect(answers[0]).toEqual(answers[1]);

    const [newest, ...olderToKnown] = await visitor.mails('known@example.com');
    const toUnknown = await visitor.mails('unknown@example.com');
    expect(olderToKnown).toHaveLength(before);
    expect(toUnknown).toHaveLength(1);
    expect(newest?.subject).toBe('You already have an account');
    expect(newest?.text).not.toContain('token');
    expect(toUnknown[0]?.subject).toBe('Confirm your address');
    expect(toUnknown[0]?.html).toContain('/verify#token=');
  });

  test('another spelling of a known address is known as well', async () => {
    await application.operator('spelling@example.com');
    const visitor = application.browser();
    await visitor.must('requestRegistration', { input: { email: ' SPELLING@Example.COM ' } });
    expect((await visitor.mails('SPELLING@example.com'))[0]?.subject).toBe('You already have an account');
  });

  test.each([
    '',
    'nobody',
    'a@b',
    'two@example.com, three@example.com',
    'line@example.com\nBcc: other@example.com',
    `${'a'.repeat(65)}@example.com`,
  ])('what is no e-mail address is refused at its field: %j', async (email) => {
    const answer = await application.browser().call('requestRegistration', { input: { email } });
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
    expect(fieldsOf(answer)).toEqual({ 'input.email': expect.stringContaining('name@example.com') });
  });

  test('an address of more than 254 characters is refused at its field, before anything reads it', async () => {
    const answer = await application.browser().call('requestRegistration', { input: { email: `${'a'.repeat(250)}@example.com` } });
    expect(fieldsOf(answer)).toEqual({ 'input.email': 'An email address has at most 254 characters.' });
  });

  test('the sixth request for one address within an hour is refused, and works an hour later', async () => {
    const visitor = application.browser();
    const ask = () => visitor.call('requestRegistration', { input: { email: 'eager@example.com' } });
    for (let attempt = 0; attempt < 5; attempt += 1) expect((await ask()).data).toBe(true);
    const refused = await ask();
    expect(codesOf(refused)).toEqual(['RATE_LIMITED']);
    expect(refused.errors[0]?.extensions.retryAfterSeconds).toBeGreaterThan(0);
    application.clock.advance(61 * minute);
    expect((await ask()).data).toBe(true);
  });

  test('of twenty requests for one address at the same moment five are taken', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => application.browser().call('requestRegistration', { input: { email: 'impatient@example.com' } })),
    );
    expect(answers.filter(({ data }) => data === true)).toHaveLength(5);
    for (const answer of answers.filter(({ data }) => data !== true)) expect(codesOf(answer)).toEqual(['RATE_LIMITED']);
  });
});

describe('the mailed link', () => {
  test('is stored only as a hash', async () => {
    const token = await application.browser().verificationToken('hash@example.com');
    const [link] = await application.rows<{ token_hash: Buffer }>(
      "select token_hash from verification_link where email = 'hash@example.com'",
    );
    expect(link?.token_hash).toEqual(createHash('sha256').update(token).digest());
    const tables = ['verification_link', 'mail', 'graphile_worker._private_jobs', 'audit_entry'];
    for (const table of tables) {
      const rows = await application.rows(`select row_to_json(t)::text as row from ${table} t where row_to_json(t)::text like $1`, [
        `%${token}%`,
      ]);
      expect(rows).toEqual([]);
    }
  });

  test('opens an enrolment session once; the second use finds nothing', async () => {
    const visitor = application.browser();
    const token = await visitor.verificationToken('once@example.com');
    expect(await visitor.must<Viewer>('confirmRegistration', { input: { token } })).toMatchObject({
      kind: 'enrolment',
      email: 'once@example.com',
      operatorId: null,
    });
    const again = await application.browser().call('confirmRegistration', { input: { token } });
    expect(codesOf(again)).toEqual(['NOT_FOUND']);
    expect(again.headers.getSetCookie()).toEqual([]);
  });

  test('works for one of twenty requests at the same moment', async () => {
    const token = await application.browser().verificationToken('parallel@example.com');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => application.browser().call('confirmRegistration', { input: { token } })),
    );
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(1);
  });

  test('is not consumed by opening its page, as mail scanners do', async () => {
    const visitor = application.browser();
    const token = await visitor.verificationToken('scanner@example.com');
    for (const method of ['GET', 'HEAD']) await visitor.fetch('/verify', { method });
    expect(await visitor.must<Viewer>('confirmRegistration', { input: { token } })).toMatchObject({ kind: 'enrolment' });
  });

  test('works until 20 minutes have passed, and then no more', async () => {
    const early = application.browser();
    const token = await early.verificationToken('early@example.com');
    application.clock.advance(19 * minute);
    expect(await early.must<Viewer>('confirmRegistration', { input: { token } })).toMatchObject({ kind: 'enrolment' });

    const late = application.browser();
    const lateToken = await late.verificationToken('late@example.com');
    application.clock.advance(20 * minute);
    expect(codesOf(await late.call('confirmRegistration', { input: { token: lateToken } }))).toEqual(['NOT_FOUND']);
  });

  test.each(['', 'x', 'A'.repeat(43), 'é'])('a made-up token finds nothing: %j', async (token) => {
    expect(codesOf(await application.browser().call('confirmRegistration', { input: { token } }))).toEqual(['NOT_FOUND']);
  });
});

describe('the code in the same mail', () => {
  const codeIn = (text: string | undefined) => /^Code: ([0-9a-z]{4}-[0-9a-z]{4})$/m.exec(text ?? '')?.[1] ?? '';
  /** Asks for a registration, and reads token and code from the mail. */
  async function ask(email: string) {
    const visitor = application.browser();
    const token = await visitor.verificationToken(email);
    return { visitor, token, code: codeIn((await visitor.mails())[0]?.text) };
  }
  const enter = (client: PortalClient, code: string) => client.call<Viewer>('confirmRegistrationCode', { input: { code } });

  test('opens an enrolment session in the browser that asked, once, however it is typed', async () => {
    const { visitor, code } = await ask('code@example.com');
    const typed = ` ${code.toUpperCase().replace('-', ' ').replaceAll('0', 'O').replaceAll('1', 'l')}`;
    const { data } = await enter(visitor, typed);
    expect(data).toMatchObject({ kind: 'enrolment', email: 'code@example.com' });
    expect((await visitor.enrol(visitor.passkey.create(await visitor.creationOptions(), visitor.origin))).errors).toEqual([]);
    expect(codesOf(await enter(visitor, code))).toEqual(['NOT_FOUND']);
  });

  test('opens nothing in another browser, nor for another registration', async () => {
    const [mine, other] = [await ask('mine@example.com'), await ask('other@example.com')];
    for (const client of [application.browser(), other.visitor]) expect(codesOf(await enter(client, mine.code))).toEqual(['NOT_FOUND']);
    expect((await enter(mine.visitor, mine.code)).data).toMatchObject({ email: 'mine@example.com' });
  });

  test('is dead after five wrong ones, even at the same moment, while the link works on', async () => {
    const { visitor, token, code } = await ask('guessed@example.com');
    const wrong = await Promise.all(Array.from({ length: 8 }, () => enter(visitor, code === '0000-0000' ? '1111-1111' : '0000-0000')));
    for (const answer of wrong) expect(codesOf(answer)).toEqual(['NOT_FOUND']);
    const [link] = await application.rows("select code_tries from verification_link where email = 'guessed@example.com'");
    expect(link).toEqual({ code_tries: 5 });
    expect(codesOf(await enter(visitor, code))).toEqual(['NOT_FOUND']);
    expect((await visitor.call<Viewer>('confirmRegistration', { input: { token } })).data).toMatchObject({ kind: 'enrolment' });
  });

  test('of another form is refused at its field, and takes no try', async () => {
    const { visitor, code } = await ask('form@example.com');
    for (const typed of ['', 'x', `${code}0`]) {
      expect(fieldsOf(await enter(visitor, typed))).toEqual({ 'input.code': expect.stringContaining('8 letters and digits') });
    }
    expect(await application.rows("select code_tries from verification_link where email = 'form@example.com'")).toEqual([
      { code_tries: 0 },
    ]);
  });

  test('works for 20 minutes, and is stored nowhere', async () => {
    const { visitor, code } = await ask('short@example.com');
    for (const table of ['verification_link', 'mail', 'graphile_worker._private_jobs']) {
      const like = [`%${code}%`, `%${code.replace('-', '')}%`];
      expect(await application.rows(`select 1 from ${table} t where row_to_json(t)::text like any ($1)`, [like])).toEqual([]);
    }
    application.clock.advance(20 * minute);
    expect(codesOf(await enter(visitor, code))).toEqual(['NOT_FOUND']);
  });

  test.each(['link, then code', 'code, then link'])('moves the enrolment to another device: %s', async (order) => {
    const email = `moves-${order.length}-${order[0]}@example.com`;
    const { visitor, token, code } = await ask(email);
    const phone = application.browser();
    const byLink = () => phone.call<Viewer>('confirmRegistration', { input: { token } });
    const byCode = () => enter(visitor, code);
    const [first, second, from, to] = order.startsWith('link') ? [byLink, byCode, phone, visitor] : [byCode, byLink, visitor, phone];
    expect((await first()).data).toMatchObject({ kind: 'enrolment' });
    expect((await second()).data).toMatchObject({ kind: 'enrolment', email });
    expect((await from.viewer()).data).toBeNull();
    expect(await application.rows("select count from attempt_window where kind = 'registration_ip' and count > 0")).toEqual([]);
    expect((await to.enrol(to.passkey.create(await to.creationOptions(), to.origin))).data?.viewer).toMatchObject({ kind: 'full', email });
  });

  test('and the link open nothing more once there is a passkey, and a person with the link is told to sign in', async () => {
    const { visitor, token, code } = await ask('finished@example.com');
    const phone = application.browser();
    await phone.must('confirmRegistration', { input: { token } });
    await phone.enrol(phone.passkey.create(await phone.creationOptions(), phone.origin));
    expect(codesOf(await enter(visitor, code))).toEqual(['NOT_FOUND']);
    const again = await visitor.call('confirmRegistration', { input: { token } });
    expect(codesOf(again)).toEqual(['CONFLICT']);
    expect(again.errors[0]?.message).toContain('Sign in');
  });

  test('is not in the mail to an address that has an account', async () => {
    const operator = await application.operator('has-one@example.com');
    await application.browser().must('requestRegistration', { input: { email: 'has-one@example.com' } });
    expect(codeIn((await operator.mails())[0]?.text)).toBe('');
  });
});

describe('enrolling the first passkey', () => {
  test('asks for a discoverable passkey with user verification, for this host, naming nobody', async () => {
    const visitor = application.browser();
    await visitor.beginEnrolment();
    const options = await visitor.creationOptions();
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(Buffer.from(options.user.id, 'base64url')).toHaveLength(32);
  });

  test('makes the operator, signs in, and shows ten recovery codes that are stored as HMACs', async () => {
    const operator = application.browser();
    const viewer = await operator.registerOperator('codes@example.com');
    expect(viewer).toMatchObject({ kind: 'full', email: 'codes@example.com', roles: [], confirmedUntil: null });
    const codes = operator.recoveryCodes;
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^([0-9a-z]{4}-){3}[0-9a-z]{4}$/);
    const stored = await application.rows<{ row: string; hmac: Buffer }>(
      'select row_to_json(c)::text as row, code_hmac as hmac from recovery_code c where operator_id = $1',
      [viewer.operatorId],
    );
    expect(stored.map(({ hmac }) => hmac.toString('hex')).sort()).toEqual(
      codes.map((code) => recoveryCodeHmac(application.keyRing.lookup.current, code).toString('hex')).sort(),
    );
    for (const { row } of stored) for (const code of codes) expect(row).not.toContain(code);
  });

  test('shows the recovery codes once: no second answer holds them', async () => {
    const operator = application.browser();
    await operator.beginEnrolment();
    const enrolment = operator.copy();
    const response = operator.passkey.create(await operator.creationOptions(), operator.origin);
    const codes = (await operator.enrol(response)).data?.recoveryCodes ?? [];
    expect(codes).toHaveLength(10);
    for (const browser of [operator, enrolment]) {
      const again = await browser.enrol(response);
      expect(again.errors).toHaveLength(1);
      for (const code of codes) expect(again.text).not.toContain(code);
    }
  });

  test('gives the full session a cookie of its own; the one of the enrolment is worth nothing afterwards', async () => {
    const visitor = application.browser();
    await visitor.beginEnrolment();
    const enrolmentCookie = visitor.cookie;
    await visitor.enrol(visitor.passkey.create(await visitor.creationOptions(), visitor.origin));
    expect(visitor.cookie).not.toBe(enrolmentCookie);
    expect((await visitor.copy(enrolmentCookie).viewer()).data).toBeNull();
  });

  test('is recorded in the audit trail', async () => {
    const { operatorId } = await application.browser().registerOperator();
    const entries = await application.rows('select action, actor_id, host(ip) as ip from audit_entry where operator_id = $1', [operatorId]);
    expect(entries).toEqual([{ action: 'operator.registered', actor_id: operatorId, ip: '127.0.0.1' }]);
  });

  const saying = (words: string) => ({ 'input.response': expect.stringContaining(words) });

  test.each([
    ['without user verification', 'Set up a screen lock', 'http://own', { userVerified: false }],
    ['without user presence', 'The device was not touched', 'http://own', { userPresent: false }],
    ['for another challenge', 'older than five minutes', 'http://own', { challenge: Buffer.alloc(32, 7).toString('base64url') }],
    ['for another relying party', 'at another address', 'http://own', { rpId: 'evil.example' }],
    ['from a page of another origin', 'at another address', 'http://localhost:1', {}],
    ['from a page of another host', 'at another address', 'https://evil.example', {}],
    ['inside a page of another site', 'in a tab of its own', 'http://own', { crossOrigin: true }],
    ['that says it is not discoverable', 'could never sign in', 'http://own', { discoverable: false }],
    ['with an identifier that is too long', '1,023 bytes', 'http://own', { credentialId: Buffer.alloc(1_024, 7) }],
    ['with a point that is not on its curve', 'key of a kind', 'http://own', { publicKey: ecKey(-7, Buffer.alloc(32, 1)) }],
    ['with a key for another algorithm', 'key of a kind', 'http://own', { publicKey: ecKey(-35, Buffer.alloc(32, 1)) }],
    ['with an RSA key of 1,024 bits', 'key of a kind', 'http://own', { publicKey: rsaKey(128) }],
    ['with an RSA key of 8,192 bits', 'key of a kind', 'http://own', { publicKey: rsaKey(1_024) }],
  ])('refuses a passkey made %s, and says the reason', async (_what, words, origin, misbehaviour) => {
    const visitor = application.browser();
    await visitor.beginEnrolment();
    const options = await visitor.creationOptions();
    const response = visitor.passkey.create(options, origin === 'http://own' ? visitor.origin : origin, misbehaviour);
    const answer = await visitor.enrol(response);
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
    expect(fieldsOf(answer)).toEqual(saying(words));
    expect(await application.rows('select 1 from operator where email = $1', [visitor.email])).toEqual([]);
  });

  test.each([
    ['of which the browser does not say whether it is discoverable', { discoverable: undefined }],
    ['that is synced', { synced: true }],
    ['with an RSA key of 2,048 bits', { publicKey: rsaKey(256) }],
  ])('takes a passkey %s', async (_what, misbehaviour) => {
    const visitor = application.browser();
    await visitor.beginEnrolment();
    const answer = await visitor.enrol(visitor.passkey.create(await visitor.creationOptions(), visitor.origin, misbehaviour));
    expect(answer.data?.viewer).toMatchObject({ kind: 'full' });
  });

  test('gives each try the same user handle, so that an authenticator replaces what an unfinished one has left', async () => {
    const visitor = application.browser();
    await visitor.beginEnrolment();
    const [first, second] = [await visitor.creationOptions(), await visitor.creationOptions()];
    expect(second.user.id).toBe(first.user.id);
    expect(second.challenge).not.toBe(first.challenge);
  });

  test('uses a challenge once: what failed cannot be tried again with the same challenge', async () => {
    const visitor = application.browser();
    await visitor.beginEnrolment();
    const options = await visitor.creationOptions();
    await visitor.enrol(visitor.passkey.create(options, visitor.origin, { userVerified: false }));
    expect(fieldsOf(await visitor.enrol(visitor.passkey.create(options, visitor.origin)))).toEqual(saying('has been answered before'));
  });

  test('refuses a challenge of another session and one older than five minutes', async () => {
    const [first, second] = [application.browser(), application.browser()];
    await first.beginEnrolment();
    await second.beginEnrolment();
    expect(fieldsOf(await second.enrol(second.passkey.create(await first.creationOptions(), second.origin)))).toEqual(
      saying('has been answered before'),
    );
    const options = await second.creationOptions();
    application.clock.advance(5 * minute);
    expect(fieldsOf(await second.enrol(second.passkey.create(options, second.origin)))).toEqual(saying('has been answered before'));
  });

  test.each([
    null,
    'text',
    7,
    [],
    {},
    { id: 'x' },
    { id: 'AA', rawId: 'AA', type: 'public-key', response: { clientDataJSON: 'AA', attestationObject: 'AA' } },
  ])('refuses a response of another shape in words: %j', async (response) => {
    const visitor = application.browser();
    await visitor.beginEnrolment();
    const answer = await visitor.enrol(response);
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
  });

  test.each(['', '   ', 'x'.repeat(61), 'a\u0007b'])(
    'refuses the passkey name %j at its field, and the challenge stays good',
    async (name) => {
      const visitor = application.browser();
      await visitor.beginEnrolment();
      const response = visitor.passkey.create(await visitor.creationOptions(), visitor.origin);
      expect(fieldsOf(await visitor.enrol(response, name))).toEqual({ 'input.name': expect.stringContaining('1 to 60') });
      expect((await visitor.enrol(response, 'Key')).errors).toEqual([]);
    },
  );

  test('makes one account of an address with two open links', async () => {
    const [first, second] = [application.browser(), application.browser()];
    await first.beginEnrolment('twice@example.com');
    await second.beginEnrolment('twice@example.com');
    const responses = [
      first.passkey.create(await first.creationOptions(), first.origin),
      second.passkey.create(await second.creationOptions(), second.origin),
    ];
    const answers = await Promise.all([first.enrol(responses[0]), second.enrol(responses[1])]);
    expect(answers.map(codesOf).sort()).toEqual([[], ['CONFLICT']]);
    expect(await application.rows("select 1 from operator where email_key = 'twice@example.com'")).toHaveLength(1);
  });

  test('ends 20 minutes after the link was confirmed, however busy the session is', async () => {
    const visitor = application.browser();
    await visitor.beginEnrolment();
    application.clock.advance(15 * minute);
    expect((await visitor.viewer()).data).toMatchObject({ kind: 'enrolment' });
    application.clock.advance(5 * minute);
    expect((await visitor.viewer()).data).toBeNull();
  });
});

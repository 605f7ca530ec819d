import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { tablesHolding } from '../../support/database/everyTable.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, fieldsOf, type Answer, type PortalClient } from '../../support/clients/portalClient.ts';
import { waitForLock } from '../../support/database/waitForLock.ts';
import { operators } from '../../support/world/accountFixtures.ts';
import { rowsOn } from '../../support/world/Rows.ts';

type Settings = {
  email: string;
  emailChange: { newEmail: string; currentConfirmed: boolean; newConfirmed: boolean; expiresAt: string } | null;
};
type Confirmation = { confirmed: 'current' | 'new'; completed: boolean };

let application: PortalWorld;
beforeAll(async () => {
  application = await openWorld({ portal: true });
});
afterAll(() => application.close());
// This file asks for more links than one network may.
beforeEach(() => application.rows('delete from attempt_window'));

const address = () => `${randomBytes(6).toString('hex')}@example.com`;
const settings = (browser: PortalClient) => browser.must<Settings>('accountSettings');
const ask = (browser: PortalClient, newEmail: string) => browser.call('requestEmailChange', { input: { newEmail } });
/** The token in the newest mail to the address; its link needs no session, so any browser will do. */
const tokenFor = async (email: string) => {
  const [mail] = await application.browser().mails(email);
  return /\/confirm-address#token=([\w-]+)/.exec(mail?.text ?? '')?.[1];
};
const confirm = (token: string | undefined): Promise<Answer<Confirmation>> =>
  application.browser().call<Confirmation>('confirmEmailChange', { input: { token: token ?? '' } });

test('an address changes when both addresses have confirmed it, in either order', async () => {
  for (const order of [
    ['current', 'new'],
    ['new', 'current'],
  ] as const) {
    const [former, next] = [address(), address()];
    const browser = await application.operator(former);
    expect(codesOf(await ask(browser, next))).toEqual([]);
    const tokens = { current: await tokenFor(former), new: await tokenFor(next) };
    expect(await settings(browser)).toMatchObject({
      email: former,
      emailChange: { newEmail: next, currentConfirmed: false, newConfirmed: false },
    });

    expect((await confirm(tokens[order[0]])).data).toEqual({ confirmed: order[0], completed: false });
    expect(await settings(browser)).toMatchObject({ email: former, emailChange: { [`${order[0]}Confirmed`]: true } });
    expect((await confirm(tokens[order[1]])).data).toEqual({ confirmed: order[1], completed: true });

    expect(codesOf(await browser.call('accountSettings'))).toEqual(['UNAUTHENTICATED']);
    await browser.signIn();
    expect(await settings(browser)).toEqual(expect.objectContaining({ email: next, emailChange: null }));
    for (const told of [former, next]) {
      expect((await browser.mails(told))[0]?.subject).toBe('The address of your account has changed');
    }
    expect(codesOf(await confirm(tokens.new))).toEqual(['NOT_FOUND']);
  }
});

test('the person who confirms is told the new address, in the mail to the current one and by each link as long as it works', async () => {
  const [former, next] = [address(), address()];
  const browser = await application.operator(former);
  await ask(browser, next);
  const [mail] = await browser.mails(former);
  expect(mail?.text).toContain(next);
  const links = [await tokenFor(former), await tokenFor(next)];
  // The address is in no link, which could stand in a history or a log.
  expect(mail?.text.match(/https?:\S+/g)?.some((url) => url.includes(next))).toBe(false);
  const named = async (token: string | undefined) =>
    (await application.browser().call<string | null>('emailChangeOfLink', { input: { token: token ?? '' } })).data;
  expect(await Promise.all(links.map(named))).toEqual([next, next]);
  await confirm(links[0]);
  expect(await Promise.all(links.map(named))).toEqual([null, next]);
  await browser.must('cancelEmailChange');
  expect(await named(links[1])).toBeNull();
});

test('the former address may register again, the new one gets “You already have an account”', async () => {
  const [former, next] = [address(), address()];
  const browser = await application.operator(former);
  await ask(browser, next);
  await confirm(await tokenFor(former));
  await confirm(await tokenFor(next));
  await application.operator(former);
  const visitor = application.browser();
  await visitor.must('requestRegistration', { input: { email: next.toUpperCase() } });
  expect((await visitor.mails(next.toUpperCase().replace('EXAMPLE.COM', 'example.com')))[0]?.subject).toBe('You already have an account');
});

test('an address that has an account gets the same answer, a mail of its own, and no link', async () => {
  const [taken, free] = [address(), address()];
  await application.operator(taken);
  const browser = await application.operator();
  const answers = [await ask(browser, free), await ask(browser, taken)];
  const shape = ({ data, errors }: Answer<unknown>) => [Object.keys(data as object), errors];
  expect(shape(answers[0] as Answer<unknown>)).toEqual(shape(answers[1] as Answer<unknown>));
  const [mail] = await browser.mails(taken);
  expect(mail).toMatchObject({ subject: 'This address already has an account' });
  expect(mail?.text).not.toContain('#token=');
});

test('the link to one’s own address does not tell whether the new one has an account', async () => {
  const [taken, free] = [address(), address()];
  await application.operator(taken);
  const seen = [];
  for (const next of [taken, free]) {
    const own = address();
    const browser = await application.operator(own);
    await ask(browser, next);
    const { data, errors } = await confirm(await tokenFor(own));
    const { emailChange } = await settings(browser);
    seen.push([data, errors, { ...emailChange, newEmail: '', expiresAt: '' }]);
  }
  expect(seen[0]).toEqual(seen[1]);
  expect(seen[0]?.[0]).toEqual({ confirmed: 'current', completed: false });
});

test('an address that has got an account meanwhile is refused like a link that never was, and nothing changes', async () => {
  const [former, next] = [address(), address()];
  const browser = await application.operator(former);
  await ask(browser, next);
  const tokens = [await tokenFor(former), await tokenFor(next)];
  expect((await confirm(tokens[1])).data).toEqual({ confirmed: 'new', completed: false });
  await application.operator(next);
  const refused = await confirm(tokens[0]);
  const unknown = await confirm('x'.repeat(43));
  expect(codesOf(refused)).toEqual(['NOT_FOUND']);
  expect(refused.text).toBe(unknown.text);
  expect(await settings(browser)).toMatchObject({ email: former, emailChange: null });
});

test('an address that gets an account in the very moment of the last confirmation is refused alike', async () => {
  const [former, next] = [address(), address()];
  const browser = await application.operator(former);
  await ask(browser, next);
  const tokens = [await tokenFor(former), await tokenFor(next)];
  await confirm(tokens[0]);
  const registration = await application.pool.connect();
  try {
    await registration.query('begin');
    await operators(rowsOn(registration), [next]);
    const last = confirm(tokens[1]);
    await waitForLock(application);
    await registration.query('commit');
    const refused = await last;
    expect(refused.text).toBe((await confirm('x'.repeat(43))).text);
  } finally {
    registration.release();
  }
  expect(await settings(browser)).toMatchObject({ email: former });
});

test('a link works once, for 20 minutes, and not after a newer request or a cancellation', async () => {
  const former = address();
  const browser = await application.operator(former);
  await ask(browser, address());
  const replaced = await tokenFor(former);
  await ask(browser, address());
  const cancelled = await tokenFor(former);
  expect(codesOf(await confirm(replaced))).toEqual(['NOT_FOUND']);
  await browser.must('cancelEmailChange');
  expect((await settings(browser)).emailChange).toBeNull();
  expect(codesOf(await confirm(cancelled))).toEqual(['NOT_FOUND']);
  await ask(browser, address());
  const used = await tokenFor(former);
  expect((await confirm(used)).data).toMatchObject({ completed: false });
  expect(codesOf(await confirm(used))).toEqual(['NOT_FOUND']);

  const other = address();
  await ask(browser, other);
  const late = await tokenFor(other);
  application.clock.advance(21 * 60_000);
  expect(codesOf(await confirm(late))).toEqual(['NOT_FOUND']);
  await browser.signIn();
  expect(await settings(browser)).toMatchObject({ email: former, emailChange: null });
});

test('a recovery takes back a change that somebody asked for before it', async () => {
  const [former, next] = [address(), address()];
  const browser = await application.operator(former);
  await ask(browser, next);
  const tokens = [await tokenFor(former), await tokenFor(next)];
  await application.browser().must('redeemRecoveryCode', { input: { code: browser.recoveryCodes[0] } });
  for (const token of tokens) expect(codesOf(await confirm(token))).toEqual(['NOT_FOUND']);
});

test('both confirmations at the same moment change the address once', async () => {
  const [former, next] = [address(), address()];
  const browser = await application.operator(former);
  await ask(browser, next);
  const tokens = [await tokenFor(former), await tokenFor(next)];
  const answers = await Promise.all([...tokens, ...tokens].map(confirm));
  expect(answers.filter(({ data }) => data?.completed)).toHaveLength(1);
  expect(answers.filter(({ data }) => data)).toHaveLength(2);
  const changes = await application.rows(
    `select 1 from audit_entry a join operator o on o.id = a.operator_id where a.action = 'operator.email_changed' and o.email = $1`,
    [next],
  );
  expect(changes).toHaveLength(1);
});

test('a request under way when its session is ended, or its account deleted, leaves no change and no link', async () => {
  const endings = [
    "update portal_session set ended_at = now(), end_reason = 'test' where operator_id = $1",
    'update operator set email = null, email_key = null, user_handle = null, deleted_at = now() where id = $1',
  ];
  for (const ending of endings) {
    const browser = await application.operator();
    const id = (await browser.viewer()).data?.operatorId ?? '';
    const other = await application.pool.connect();
    try {
      await other.query('begin');
      await other.query('select 1 from operator where id = $1 for no key update', [id]);
      await other.query(ending, [id]);
      if (ending.includes('deleted_at')) await other.query('delete from portal_session where operator_id = $1', [id]);
      const request = ask(browser, address());
      await waitForLock(application);
      await other.query('commit');
      expect(codesOf(await request)).toEqual(['UNAUTHENTICATED']);
    } finally {
      other.release();
    }
    for (const table of ['email_change', 'verification_link'])
      expect(await application.rows(`select 1 from ${table} where operator_id = $1`, [id])).toEqual([]);
  }
});

test('a session that is being ended as a copy while the address changes is ended, and tells its owner', async () => {
  const [former, next] = [address(), address()];
  const browser = await application.operator(former);
  const id = (await browser.viewer()).data?.operatorId ?? '';
  await ask(browser, next);
  await confirm(await tokenFor(next));
  const last = await tokenFor(former);
  const ending = await application.pool.connect();
  try {
    await ending.query('begin');
    await ending.query('select 1 from portal_session where operator_id = $1 for no key update', [id]);
    const changing = confirm(last);
    await waitForLock(application);
    // The mail about the ended session refers to the account.
    const named = await ending.query('select 1 from operator where id = $1 for key share nowait', [id]).catch(String);
    await ending.query(typeof named === 'string' ? 'rollback' : 'commit');
    expect(named).toMatchObject({ rowCount: 1 });
    expect((await changing).data).toMatchObject({ completed: true });
  } finally {
    ending.release();
  }
});

test('the new address can do nothing before both have confirmed, and the former one nothing afterwards', async () => {
  const [former, next] = [address(), address()];
  const browser = await application.operator(former);
  await ask(browser, next);
  const tokens = { current: await tokenFor(former), new: await tokenFor(next) };
  expect((await confirm(tokens.new)).data).toMatchObject({ completed: false });
  expect(codesOf(await confirm(tokens.new))).toEqual(['NOT_FOUND']);
  // A link for one purpose does not work for another.
  for (const token of [tokens.current, tokens.new])
    expect(codesOf(await application.browser().call('confirmRegistration', { input: { token } }))).toEqual(['NOT_FOUND']);
  const registration = application.browser();
  await registration.beginEnrolment(former).catch(() => undefined);
  expect((await settings(browser)).email).toBe(former);
  expect((await confirm(tokens.current)).data).toMatchObject({ completed: true });

  expect(codesOf(await confirm(tokens.current))).toEqual(['NOT_FOUND']);
  await browser.signIn();
  const id = (await browser.viewer()).data?.operatorId;
  const stranger = await application.operator(former);
  expect((await stranger.viewer()).data?.operatorId).not.toBe(id);
  expect(await settings(browser)).toMatchObject({ email: next, emailChange: null });
});

test.each(['', 'nobody', 'a b@example.com', `${'x'.repeat(250)}@example.com`])(
  'the address %j is refused by its field',
  async (newEmail) => {
    const browser = await application.operator();
    const answer = await ask(browser, newEmail);
    expect([codesOf(answer), Object.keys(fieldsOf(answer))]).toEqual([['BAD_USER_INPUT'], ['input.newEmail']]);
    expect(fieldsOf(await ask(browser, browser.email.toUpperCase()))['input.newEmail']).toContain('current address');
  },
);

test('more than five links an hour to one address are refused from one network', async () => {
  const target = address();
  const askAnew = async () => ask(await application.operator(), target);
  for (let attempt = 0; attempt < 5; attempt += 1) expect(codesOf(await askAnew())).toEqual([]);
  const refused = await askAnew();
  expect(codesOf(refused)).toEqual(['RATE_LIMITED']);
  expect(refused.errors[0]?.message).toContain('from your network');
});

test('an account asks for five changes an hour, and others who name its address take none of them', async () => {
  const browser = await application.operator();
  for (let attempt = 0; attempt < 5; attempt += 1) {
    await application.browser().must('requestRegistration', { input: { email: browser.email } });
  }
  for (let attempt = 0; attempt < 5; attempt += 1) expect(codesOf(await ask(browser, address()))).toEqual([]);
  const refused = await ask(browser, address());
  expect(codesOf(refused)).toEqual(['RATE_LIMITED']);
  expect(refused.errors[0]?.message).toContain('Too many changes of address');
});

test('a confirmed change gives its attempts back', async () => {
  const browser = await application.operator();
  await application.rows('delete from attempt_window');
  const target = address();
  expect(codesOf(await ask(browser, target))).toEqual([]);
  for (const recipient of [browser.email, target]) expect(codesOf(await confirm(await tokenFor(recipient)))).toEqual([]);
  expect(await application.rows('select kind, count from attempt_window where count > 0')).toEqual([]);
});

test('asking for a change and taking it back are recorded, without an address', async () => {
  const browser = await application.operator();
  await ask(browser, address());
  await browser.must('cancelEmailChange');
  await browser.must('cancelEmailChange');
  const trail = await application.rows(
    "select action, details from audit_entry where operator_id = $1 and action like 'operator.email_change%' order by id",
    [(await browser.viewer()).data?.operatorId],
  );
  expect(trail).toEqual([
    { action: 'operator.email_change_requested', details: {} },
    { action: 'operator.email_change_cancelled', details: {} },
  ]);
});

test('the owner is not told who pressed a link, since it may be a stranger whose address was mistyped', async () => {
  const [former, next] = [address(), address()];
  const browser = await application.operator(former);
  await ask(browser, next);
  await confirm(await tokenFor(next));
  const { edges } = await browser.must<{ edges: { node: Record<string, unknown> }[] }>('auditTrail', { own: true });
  const entry = edges.map(({ node }) => node).find(({ action }) => action === 'operator.email_change_confirmed');
  expect(entry).toMatchObject({ actorType: 'anonymous', actorId: null, ip: null, details: { by: 'new' } });
  expect(await application.rows("select host(ip) as ip from audit_entry where action = 'operator.email_change_confirmed' limit 1")).toEqual(
    [{ ip: '127.0.0.1' }],
  );
});

test('neither address enters the log, and links are kept as hashes only', async () => {
  const [former, next] = [address(), address()];
  const browser = await application.operator(former);
  await ask(browser, next);
  const token = (await tokenFor(next)) ?? '';
  await confirm(token);
  expect(application.log()).not.toContain(next);
  expect(application.log()).not.toContain(token);
  expect(await tablesHolding(application, token)).toEqual(['public.development_mail']);
});

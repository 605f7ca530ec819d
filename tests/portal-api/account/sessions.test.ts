import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, type PortalClient } from '../../support/clients/portalClient.ts';
import { waitForLock } from '../../support/database/waitForLock.ts';

const minute = 60_000;
const background = { 'x-svc-background': '1' };

let application: PortalWorld;
beforeAll(async () => {
  application = await openWorld({ portal: true });
});
afterAll(() => application.close());

const isSignedIn = async (client: PortalClient, headers: Record<string, string> = {}) => (await client.viewer(headers)).data !== null;

async function useEvery(minutes: number, client: PortalClient, times: number): Promise<void> {
  for (let turn = 0; turn < times; turn += 1) {
    application.clock.advance(minutes * minute);
    expect(await isSignedIn(client)).toBe(true);
  }
}

const sessionOf = async (client: PortalClient) => {
  const [row] = await application.rows<{ generation: number; ended_at: Date | null; end_reason: string | null }>(
    'select generation, ended_at, end_reason from portal_session where id = $1',
    [(client.cookie ?? '').split('.')[0]],
  );
  return row;
};

describe('the end of a session', () => {
  test('comes after 20 minutes without use', async () => {
    const operator = await application.operator();
    application.clock.advance(20 * minute - 5_000);
    expect(await isSignedIn(operator)).toBe(true);
    application.clock.advance(20 * minute);
    expect(await isSignedIn(operator)).toBe(false);
  });

  test('comes after eight hours even in use, and is announced', async () => {
    const operator = await application.operator();
    const start = application.clock.now().getTime();
    await useEvery(19, operator, 25);
    const { data } = await operator.viewer();
    expect(Date.parse(data?.sessionExpiresAt ?? '') - start).toBeLessThanOrEqual(8 * 60 * minute);
    application.clock.advance(5 * minute);
    expect(await isSignedIn(operator)).toBe(false);
  });

  test('is not put off by pages that only poll in the background', async () => {
    const operator = await application.operator();
    for (let turn = 0; turn < 3; turn += 1) {
      application.clock.advance(6 * minute);
      expect(await isSignedIn(operator, background)).toBe(true);
    }
    application.clock.advance(2 * minute);
    expect(await isSignedIn(operator, background)).toBe(false);
    expect(await isSignedIn(operator)).toBe(false);
  });
});

describe('a session that is being ended', () => {
  test.each([
    ['while a request waits for it', 0],
    ['while a request waits for it, which would have rotated it', 10 * minute],
  ])('%s lets that request do nothing any more', async (_when, age) => {
    const operator = await application.operator();
    application.clock.advance(age);
    const ending = await application.pool.connect();
    try {
      await ending.query('begin');
      await ending.query("update portal_session set ended_at = now(), end_reason = 'test' where id = $1", [operator.cookie?.split('.')[0]]);
      const request = operator.copy().call('acceptTerms', { input: { version: 1, nonCommercial: true, attribution: true } });
      await waitForLock(application);
      await ending.query('commit');
      const answer = await request;
      expect(codesOf(answer)).toEqual(['UNAUTHENTICATED']);
      expect(answer.headers.getSetCookie()).toEqual([]);
    } finally {
      ending.release();
    }
  });
});

describe('the cookie', () => {
  test('is the same for ten minutes and then gets a new secret, once', async () => {
    const operator = await application.operator();
    const first = operator.cookie;
    application.clock.advance(9 * minute);
    await operator.viewer();
    expect(operator.cookie).toBe(first);
    application.clock.advance(minute);
    await operator.viewer();
    const second = operator.cookie;
    expect(second).not.toBe(first);
    await operator.viewer();
    expect(operator.cookie).toBe(second);
  });

  test('of 30 requests at the same moment one rotates it, and all receive the same new one', async () => {
    const operator = await application.operator();
    application.clock.advance(10 * minute);
    const browsers = Array.from({ length: 30 }, () => operator.copy());
    const answers = await Promise.all(browsers.map((browser) => browser.viewer()));
    for (const { data } of answers) expect(data).not.toBeNull();
    const cookies = new Set(browsers.map(({ cookie }) => cookie));
    expect(cookies.size).toBe(1);
    expect(cookies).not.toContain(operator.cookie);
    expect((await sessionOf(operator))?.generation).toBe(1);
    expect(await isSignedIn(browsers[0] ?? operator)).toBe(true);
  });

  test('is not put back by the late answer to a request from before, when the browser has a newer one', async () => {
    const operator = await application.operator();
    const late = operator.copy();
    application.clock.advance(10 * minute);
    const holding = await application.pool.connect();
    try {
      await holding.query('begin; lock table integration in access exclusive mode');
      const answer = late.call('integrations');
      await waitForLock(application);
      for (let turn = 0; turn < 2; turn += 1) {
        // The second request brings back the cookie that the first one got, so that another can follow.
        for (let request = 0; request < 2; request += 1) await operator.viewer();
        application.clock.advance(10 * minute);
      }
      await holding.query('commit');
      expect(codesOf(await answer)).toEqual([]);
      expect((await answer).headers.getSetCookie()).toEqual([]);
    } finally {
      holding.release();
    }
    expect((await sessionOf(operator))?.generation).toBe(2);
  });

  test('is taken away by signing out, also at the moment of its rotation', async () => {
    const operator = await application.operator();
    application.clock.advance(10 * minute);
    const { headers } = await operator.call('signOut');
    expect(headers.getSetCookie()).toEqual([expect.stringMatching(/=; .*Max-Age=0/)]);
    expect(operator.cookie).toBeUndefined();
  });

  test('is not rotated by background polling', async () => {
    const operator = await application.operator();
    const first = operator.cookie;
    application.clock.advance(11 * minute);
    expect(await isSignedIn(operator, background)).toBe(true);
    expect(operator.cookie).toBe(first);
  });

  test('of a lost answer stays good: the former one works until the new one is seen', async () => {
    const operator = await application.operator();
    const lost = operator.copy();
    application.clock.advance(10 * minute);
    await lost.viewer();
    application.clock.advance(5 * minute);
    expect(await isSignedIn(operator)).toBe(true);
    expect(operator.cookie).toBe(lost.cookie);
  });

  test('of a lost answer stays good also when the next rotation would be due, for all tabs at once', async () => {
    const operator = await application.operator();
    application.clock.advance(10 * minute);
    await operator.copy().viewer();
    application.clock.advance(11 * minute);
    const tabs = Array.from({ length: 5 }, () => operator.copy());
    for (const { data } of await Promise.all(tabs.map((tab) => tab.viewer()))) expect(data).not.toBeNull();
    expect((await sessionOf(operator))?.ended_at).toBeNull();
  });

  test('of the former generation works for 60 seconds beside the new one; used later it ends the session for everyone, audited', async () => {
    const operator = await application.operator();
    const thief = operator.copy();
    application.clock.advance(10 * minute);
    await operator.viewer();
    await operator.viewer();
    application.clock.advance(50_000);
    const old = thief.cookie;
    expect(await isSignedIn(thief)).toBe(true);
    application.clock.advance(11_000);
    const late = operator.copy(old);
    expect(await isSignedIn(late)).toBe(false);
    expect(await isSignedIn(operator)).toBe(false);
    expect(await sessionOf(operator)).toMatchObject({ end_reason: 'outdated cookie used again' });
    const entries = await application.rows<{ operator_id: string }>(
      "select operator_id, actor_type from audit_entry where action = 'session.ended_for_copied_cookie' and subject_id = $1",
      [old?.split('.')[0]],
    );
    expect(entries).toEqual([{ operator_id: expect.stringMatching(/^opr_/), actor_type: 'system' }]);
    const mails = await operator.mails();
    expect(mails.filter(({ subject }) => /session/i.test(subject))).toHaveLength(1);
  });

  test.each([
    ['a request', {}],
    ['background polling', background],
  ])('of the former generation is never exchanged for one that was seen: %s with it is served without', async (_what, headers) => {
    const operator = await application.operator();
    const thief = operator.copy();
    const former = thief.cookie;
    application.clock.advance(10 * minute);
    await operator.viewer();
    const inFlight = operator.copy(former);
    // The answer with the new cookie was lost. The former one is exchanged for it as long as nobody has used the new one.
    expect(await isSignedIn(inFlight, headers)).toBe(true);
    expect(inFlight.cookie).toBe(operator.cookie);
    await operator.viewer();
    for (let turn = 0; turn < 2; turn += 1) {
      application.clock.advance(20_000);
      const answer = await thief.viewer(headers);
      expect(answer.data).not.toBeNull();
      expect(answer.headers.getSetCookie()).toEqual([]);
    }
    expect(thief.cookie).toBe(former);
    application.clock.advance(21_000);
    expect(await isSignedIn(thief, headers)).toBe(false);
  });

  test.each([
    ['its new one comes back', 'generation_confirmed_at = now()'],
    ['it is rotated once more', 'generation = generation + 1'],
  ])('of the former generation is not exchanged by a request that is under way while %s', async (_what, change) => {
    const operator = await application.operator();
    const late = operator.copy();
    application.clock.advance(10 * minute);
    await operator.viewer();
    const meanwhile = await application.pool.connect();
    try {
      await meanwhile.query('begin');
      await meanwhile.query(`update portal_session set ${change} where id = $1`, [operator.cookie?.split('.')[0]]);
      const request = late.viewer();
      await waitForLock(application);
      await meanwhile.query('commit');
      const answer = await request;
      expect(answer.data).not.toBeNull();
      expect(answer.headers.getSetCookie()).toEqual([]);
    } finally {
      meanwhile.release();
    }
  });

  test('two generations back ends the session, also within the 60 seconds', async () => {
    const operator = await application.operator();
    const thief = operator.copy();
    await useEvery(10, operator, 2);
    expect(await isSignedIn(thief)).toBe(false);
    expect(await isSignedIn(operator)).toBe(false);
  });

  test('a thief polling in the background with the former one ends the session too', async () => {
    const operator = await application.operator();
    const thief = operator.copy();
    application.clock.advance(10 * minute);
    await operator.viewer();
    await operator.viewer();
    application.clock.advance(2 * minute);
    expect(await isSignedIn(thief, background)).toBe(false);
    expect(await isSignedIn(operator)).toBe(false);
  });

  test('altered in any part is worth nothing, and ends nobody’s session', async () => {
    const operator = await application.operator();
    const other = await application.operator();
    const [id = '', generation = '', mac = ''] = (operator.cookie ?? '').split('.');
    const [otherId = ''] = (other.cookie ?? '').split('.');
    const altered = [
      `${otherId}.${generation}.${mac}`,
      `${id}.1.${mac}`,
      `${id}.-1.${mac}`,
      `${id}.00.${mac}`,
      `${id}.${generation}.${mac.slice(0, -1)}`,
      `${id}.${generation}.${(mac.startsWith('A') ? 'B' : 'A') + mac.slice(1)}`,
      `${id}.${generation}.${'A'.repeat(43)}`,
      `${id}.${generation}`,
      id,
      '',
      'x'.repeat(4_000),
    ];
    for (const cookie of altered) expect(await isSignedIn(operator.copy(cookie))).toBe(false);
    expect(await isSignedIn(operator)).toBe(true);
    expect(await isSignedIn(other)).toBe(true);
  });

  test('under another name is not looked at', async () => {
    const operator = await application.operator();
    const visitor = application.browser();
    for (const name of ['__Host-svc_session', 'svc_session', '__Host-svc_session_1']) {
      expect(await isSignedIn(visitor, { cookie: `${name}=${operator.cookie}` })).toBe(false);
    }
    expect(await isSignedIn(visitor, { cookie: `other=1; ${operator.cookieName}=${operator.cookie}; more=2` })).toBe(true);
  });

  test('of an account that was deleted is worth nothing', async () => {
    const operator = await application.operator('deleted@example.com');
    await application.rows(
      "update operator set deleted_at = $1, email = null, email_key = null, user_handle = null where email = 'deleted@example.com'",
      [application.clock.now()],
    );
    expect(await isSignedIn(operator)).toBe(false);
  });
});

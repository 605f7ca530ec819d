import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { accountOf, sessionsOf, signInWith, type SessionData } from '../../support/clients/accountClient.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, type PortalClient } from '../../support/clients/portalClient.ts';
import { waitForLock } from '../../support/database/waitForLock.ts';
import { portalSession } from '../../support/world/accountFixtures.ts';
import { rowsOn } from '../../support/world/Rows.ts';

const minute = 60_000;
type Page = { edges: { cursor: string; node: SessionData }[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };

let application: PortalWorld;
beforeAll(async () => {
  application = await openWorld({ portal: true });
});
afterAll(() => application.close());

const end = (client: PortalClient, sessionId: string) => client.call<string>('endSession', { input: { sessionId } });
const isSignedIn = async (client: PortalClient) => (await client.viewer()).data !== null;

/** Another browser of the same operator, with the name that it gives itself. */
async function signedInElsewhere(operator: PortalClient): Promise<PortalClient> {
  const browser = application.browser();
  await signInWith(browser, operator.passkey);
  return browser;
}

describe('the sessions of an account', () => {
  test('are the browsers that are signed in now, newest first, with this one marked', async () => {
    const operator = await application.operator();
    const elsewhere = await signedInElsewhere(operator);
    const sessions = await sessionsOf(operator);
    expect(sessions.map(({ current }) => current)).toEqual([false, true]);
    expect((await sessionsOf(elsewhere)).map(({ current }) => current)).toEqual([true, false]);
    expect(sessions[0]).toMatchObject({ ip: '127.0.0.1', userAgent: expect.any(String) });
    expect(JSON.stringify(sessions)).not.toContain((operator.cookie ?? '').split('.')[2]);
  });

  test('leave out those that were signed out, have been idle for too long or belong to somebody else', async () => {
    const operator = await application.operator();
    const [signedOut, idle] = [await signedInElsewhere(operator), await signedInElsewhere(operator)];
    await application.operator();
    await signedOut.must('signOut');
    expect(await sessionsOf(operator)).toHaveLength(2);
    application.clock.advance(12 * minute);
    await operator.viewer();
    application.clock.advance(9 * minute);
    expect((await sessionsOf(operator)).map(({ current }) => current)).toEqual([true]);
    expect(await isSignedIn(idle)).toBe(false);
  });

  test('come in pages, and a cursor of another account is refused', async () => {
    const operator = await application.operator();
    for (let count = 0; count < 4; count += 1) await signedInElsewhere(operator);
    const read = (variables: object) => operator.must<Page>('sessions', { ...variables });
    const first = await read({ first: 3 });
    const second = await read({ first: 3, after: first.pageInfo.endCursor });
    expect([first.pageInfo.hasNextPage, second.pageInfo.hasNextPage]).toEqual([true, false]);
    const ids = [...first.edges, ...second.edges].map(({ node }) => node.id);
    expect(new Set(ids).size).toBe(5);
    const stranger = await application.operator();
    for (const variables of [{ after: first.pageInfo.endCursor }, { first: 0 }, { first: 101 }]) {
      expect(codesOf(await stranger.call('sessions', variables))).toEqual(['BAD_USER_INPUT']);
    }
  });

  test('are found by an index', async () => {
    const plan = await application.rows<{ 'QUERY PLAN': string }>(
      "explain select * from portal_session where operator_id = 'opr_x' and ended_at is null order by created_at desc, id desc limit 21",
    );
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    expect(text.includes('Seq Scan') ? text : 'index').toBe('index');
  });
});

describe('ending a session', () => {
  test('elsewhere ends it at once, and no other; it is recorded', async () => {
    const operator = await application.operator();
    const [lost, kept] = [await signedInElsewhere(operator), await signedInElsewhere(operator)];
    const id = (lost.cookie ?? '').split('.')[0] ?? '';
    expect((await end(operator, id)).data).toBe(id);
    expect([await isSignedIn(lost), await isSignedIn(kept), await isSignedIn(operator)]).toEqual([false, true, true]);
    expect(await application.rows('select action from audit_entry where subject_id = $1 order by id', [id])).toEqual([
      { action: 'session.opened' },
      { action: 'session.ended' },
    ]);
    expect(codesOf(await end(operator, id))).toEqual(['NOT_FOUND']);
  });

  test('twice at the same moment ends it once, and the trail says so once', async () => {
    const operator = await application.operator();
    const id = ((await signedInElsewhere(operator)).cookie ?? '').split('.')[0] ?? '';
    const holder = await application.pool.connect();
    try {
      await holder.query('begin');
      await holder.query('select 1 from portal_session where id = $1 for update', [id]);
      const both = [end(operator, id), end(operator, id)];
      await waitForLock(application, 2);
      await holder.query('commit');
      expect((await Promise.all(both)).flatMap(codesOf)).toEqual(['NOT_FOUND']);
    } finally {
      holder.release();
    }
    const ended = "select 1 from audit_entry where subject_id = $1 and action = 'session.ended'";
    expect(await application.rows(ended, [id])).toHaveLength(1);
  });

  test('of this browser signs it out and takes its cookie away', async () => {
    const operator = await application.operator();
    const copy = operator.copy();
    const { headers } = await end(operator, (operator.cookie ?? '').split('.')[0] ?? '');
    expect(headers.getSetCookie()[0]).toMatch(/Max-Age=0/);
    expect([await isSignedIn(operator), await isSignedIn(copy)]).toEqual([false, false]);
  });

  test('of somebody else finds nothing, as one that never existed', async () => {
    const [operator, stranger] = [await application.operator(), await application.operator()];
    const answers = [
      await end(stranger, (operator.cookie ?? '').split('.')[0] ?? ''),
      await end(stranger, `ses_${'0'.repeat(26)}`),
      await end(stranger, 'x'),
    ];
    expect(answers.map(codesOf)).toEqual([['NOT_FOUND'], ['NOT_FOUND'], ['NOT_FOUND']]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await isSignedIn(operator)).toBe(true);
  });
});

describe('ending all other sessions', () => {
  test('signs every other browser out at once, is recorded once, and leaves this one and strangers alone', async () => {
    const [operator, stranger] = [await application.operator(), await application.operator()];
    const others = [await signedInElsewhere(operator), await signedInElsewhere(operator)];
    expect((await operator.call('endOtherSessions')).data).toBe(2);
    expect(await Promise.all([...others, operator, stranger].map((client) => isSignedIn(client)))).toEqual([false, false, true, true]);
    expect((await operator.call('endOtherSessions')).data).toBe(0);
    const { operatorId } = await accountOf(operator);
    expect(
      await application.rows("select details from audit_entry where action = 'session.others_ended' and operator_id = $1", [operatorId]),
    ).toEqual([{ details: { sessionsEnded: 2 } }]);
  });

  test('ends a sign-in that is under way as well', async () => {
    const operator = await application.operator();
    const { operatorId } = await accountOf(operator);
    const signIn = await application.pool.connect();
    try {
      await signIn.query('begin');
      await signIn.query('select 1 from passkey where operator_id = $1 for key share', [operatorId]);
      const ending = operator.call('endOtherSessions');
      await waitForLock(application);
      await portalSession(rowsOn(signIn), { operatorId, email: 'x@example.com', at: application.clock.now() });
      await signIn.query('commit');
      expect((await ending).data).toBe(1);
    } finally {
      signIn.release();
    }
    expect(await sessionsOf(operator)).toHaveLength(1);
  });

  test('of two at the same moment leaves one session, never none', async () => {
    const operator = await application.operator();
    const elsewhere = await signedInElsewhere(operator);
    const answers = await Promise.all([operator.copy().call('endOtherSessions'), elsewhere.copy().call('endOtherSessions')]);
    expect(answers.flatMap(codesOf)).toEqual(['UNAUTHENTICATED']);
    expect((await Promise.all([isSignedIn(operator), isSignedIn(elsewhere)])).filter(Boolean)).toHaveLength(1);
  });
});

describe('what a document asks for after it has ended its own session', () => {
  const terms = 'acceptTerms(input: { version: 1, nonCommercial: true, attribution: true }) { kind }';
  const acceptances = async (operator: PortalClient) =>
    (
      await application.rows('select 1 from terms_acceptance a join operator o on o.id = a.operator_id where o.email = $1', [
        operator.email,
      ])
    ).length;

  test.each([
    ['signing out', () => 'signOut'],
    ['ending it by its id', (sessionId: string) => `endSession(input: { sessionId: "${sessionId}" })`],
    ['deleting the account', () => 'deleteAccount'],
  ])('by %s is refused and changes nothing', async (_how, ending) => {
    const operator = await application.operator();
    await operator.confirmFreshly();
    const answer = await operator.graphql(`mutation { ${ending((operator.cookie ?? '').split('.')[0] ?? '')} ${terms} }`);
    expect(codesOf(answer)).toEqual(['UNAUTHENTICATED']);
    expect(await acceptances(operator)).toBe(0);
    expect(await isSignedIn(operator)).toBe(false);
  });

  test('runs where it stands before the end', async () => {
    const operator = await application.operator();
    expect((await operator.graphql(`mutation { ${terms} signOut }`)).errors).toEqual([]);
    expect(await acceptances(operator)).toBe(1);
  });
});

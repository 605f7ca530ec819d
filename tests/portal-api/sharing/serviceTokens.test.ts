import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { authenticateServiceToken, noteServiceTokenUse } from '../../../server/domain/access/authenticateServiceToken.ts';
import { tablesHolding } from '../../support/database/everyTable.ts';
import { openWorld, type PortalWorld } from '../../support/world/openWorld.ts';
import { codesOf, fieldsOf, type Answer, type PortalClient } from '../../support/clients/portalClient.ts';
import { documents } from '../../support/clients/portalDocuments.ts';
import { administrator, toolingClient, ToolingClient } from '../../support/clients/toolingClient.ts';
import { waitForLock } from '../../support/database/waitForLock.ts';

const day = 24 * 60 * 60 * 1000;
const unknownToken = `svct_${'0'.repeat(52)}`;

type Token = {
  id: string;
  name: string;
  environment: string;
  createdBy: string | null;
  expiresAt: string;
  lastUsedAt: string | null;
  revokedAt: string | null;
};

let application: PortalWorld;
let admin: PortalClient;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  admin = await administrator(application);
  await admin.confirmFreshly();
});
afterAll(() => application.close());

const input = (overrides: Record<string, unknown> = {}) => ({
  input: { name: 'Link page', environment: 'sandbox', permissions: ['catalogue.read'], ...overrides },
});
const made = () => admin.must<{ token: string; serviceToken: Token }>('createServiceToken', input());
const isGood = async (client: PortalClient) => codesOf(await client.call('catalogue')).length === 0;
const outcome = ({ status, headers, text }: Answer<unknown>) => ({ status, text, challenge: headers.get('www-authenticate') });

describe('an administrator', () => {
  test('makes a token whose text is shown once and stored nowhere', async () => {
    const { token, serviceToken } = await made();
    expect(token).toMatch(/^svct_[0-9a-hjkmnp-tv-z]{52}$/);
    expect(serviceToken).toMatchObject({ name: 'Link page', createdBy: (await admin.viewer()).data?.operatorId, lastUsedAt: null });
    expect(await isGood(new ToolingClient(application, token))).toBe(true);
    expect(await tablesHolding(application, token)).toEqual([]);
    expect(await tablesHolding(application, token.slice('svct_'.length))).toEqual([]);
    expect(await tablesHolding(application, serviceToken.id)).toEqual(
      expect.arrayContaining(['public.service_token', 'public.audit_entry']),
    );
    expect((await admin.call('serviceTokens')).text).not.toContain(token.slice(5));
  });

  test('sees all tokens, newest first, page by page, and is refused a cursor that is not one', async () => {
    for (let count = 0; count < 3; count += 1) {
      await made();
      application.clock.advance(1);
    }
    type Page = { edges: { cursor: string; node: Token }[]; pageInfo: { hasNextPage: boolean; endCursor: string } };
    const all = await admin.must<Page>('serviceTokens', { first: 100 });
    const first = await admin.must<Page>('serviceTokens', { first: 2 });
    const rest = await admin.must<Page>('serviceTokens', { first: 100, after: first.pageInfo.endCursor });
    expect(first.pageInfo.hasNextPage).toBe(true);
    expect([...first.edges, ...rest.edges].map(({ node }) => node.id)).toEqual(all.edges.map(({ node }) => node.id));
    const oldest = await admin.must<Page>('serviceTokens', { first: 100, order: 'oldest' });
    expect(oldest.edges).toEqual(all.edges.toReversed());
    const now = application.clock.now().toISOString();
    const ending = await admin.must<Page>('serviceTokens', { first: 100, order: 'ending' });
    const good = all.edges.map(({ node }) => node).filter(({ revokedAt, expiresAt }) => !revokedAt && String(expiresAt) > now);
    expect(ending.edges.map(({ node }) => node.expiresAt)).toEqual(good.map(({ expiresAt }) => expiresAt).toSorted());
    for (const environment of ['sandbox', 'production']) {
      const { edges } = await admin.must<Page>('serviceTokens', { first: 100, environment });
      expect(edges).toEqual(all.edges.filter(({ node }) => node.environment === environment));
    }
    expect(codesOf(await admin.call('serviceTokens', { after: 'AAAA' }))).toEqual(['BAD_USER_INPUT']);
    expect(codesOf(await admin.call('serviceTokens', { first: 101 }))).toEqual(['BAD_USER_INPUT']);
  });

  test.each([
    ['no name', { name: ' ' }, 'input.name'],
    ['a name with a line break', { name: 'a\nb' }, 'input.name'],
    ['no permission', { permissions: [] }, 'input.permissions'],
    ['an unknown permission', { permissions: ['catalogue.read', 'everything'] }, 'input.permissions[1]'],
    ['no time', { expiresInDays: 0 }, 'input.expiresInDays'],
    ['more than a year', { expiresInDays: 366 }, 'input.expiresInDays'],
  ])('is told which field is wrong: %s', async (_what, wrong, path) => {
    const before = await application.rows('select id from service_token');
    const answer = await admin.call('createServiceToken', input(wrong));
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
    expect(Object.keys(fieldsOf(answer))).toEqual([path]);
    expect(await application.rows('select id from service_token')).toEqual(before);
  });

  test('gives a token a year unless less is asked for', async () => {
    const lifetime = async (expiresInDays?: number) => {
      const { serviceToken } = await admin.must<{ serviceToken: Token & { createdAt: string } }>(
        'createServiceToken',
        input({ expiresInDays }),
      );
      return (Date.parse(serviceToken.expiresAt) - Date.parse(serviceToken.createdAt)) / day;
    };
    expect([await lifetime(), await lifetime(1)]).toEqual([365, 1]);
  });

  test('leaves a trail of making and revoking, without name or text', async () => {
    const { token, serviceToken } = await made();
    await admin.must('revokeServiceToken', { input: { serviceTokenId: serviceToken.id } });
    await admin.must('revokeServiceToken', { input: { serviceTokenId: serviceToken.id } });
    const trail = await application.rows<{ action: string; actor_type: string; actor_id: string; details: unknown }>(
      'select action, actor_type, actor_id, details from audit_entry where subject_id = $1 order by id',
      [serviceToken.id],
    );
    expect(trail.map(({ action }) => action)).toEqual(['service_token.created', 'service_token.revoked']);
    expect(trail[0]).toMatchObject({ actor_type: 'operator', actor_id: serviceToken.createdBy });
    expect(JSON.stringify(trail)).not.toMatch(new RegExp(`${token}|Link page`));
  });
});

describe('a token', () => {
  test('ends at its time, to the millisecond', async () => {
    const program = await toolingClient(application, { permissions: ['catalogue.read'], expiresInDays: 1 });
    const [row] = await application.rows<{ expires_at: Date }>('select expires_at from service_token where id = $1', [program.tokenId]);
    const end = row?.expires_at.getTime() ?? 0;
    const at = (time: number) => authenticateServiceToken(application.orm.em.fork(), program.token, new Date(time));
    expect(await at(end - 1)).toMatchObject({ id: program.tokenId, environment: 'sandbox', permissions: ['catalogue.read'] });
    expect(await at(end)).toBeNull();
  });

  test('is refused when the clock has passed its time', async () => {
    const program = await toolingClient(application, { permissions: ['catalogue.read'] });
    const inTenSeconds = new Date(application.clock.now().getTime() + 10_000);
    await application.rows('update service_token set expires_at = $2 where id = $1', [program.tokenId, inTenSeconds]);
    expect(await isGood(program)).toBe(true);
    application.clock.advance(10_000);
    expect(await isGood(program)).toBe(false);
  });

  test('ends with the very next request after its revocation', async () => {
    const { token, serviceToken } = await made();
    const program = new ToolingClient(application, token);
    expect(await isGood(program)).toBe(true);
    const revoked = await admin.must<Token>('revokeServiceToken', { input: { serviceTokenId: serviceToken.id } });
    expect(revoked.revokedAt).not.toBeNull();
    expect(await isGood(program)).toBe(false);
    const again = await admin.must<Token>('revokeServiceToken', { input: { serviceTokenId: serviceToken.id } });
    expect(again.revokedAt).toBe(revoked.revokedAt);
  });

  test('that is revoked while a document runs does nothing in the rest of it', async () => {
    const program = await toolingClient(application, { permissions: ['users.erase'] });
    const erase = (user: string) => `${user}: eraseUser(input: { user: "${user}" }) { deletedOrders }`;
    const other = await application.pool.connect();
    try {
      await other.query('begin');
      await other.query('lock table link_code in access exclusive mode');
      const document = program.graphql(`mutation { ${erase('first')} ${erase('second')} }`);
      await waitForLock(application);
      await admin.must('revokeServiceToken', { input: { serviceTokenId: program.tokenId } });
      await other.query('commit');
      expect((await document).errors).toMatchObject([{ path: ['second'], extensions: { code: 'UNAUTHENTICATED' } }]);
    } finally {
      other.release();
    }
  });

  test('that has expired, was revoked, never existed or does not even look like one gets the same answer', async () => {
    const [expired, revoked] = [await toolingClient(application), await toolingClient(application)];
    await application.rows("update service_token set expires_at = '2026-01-01' where id = $1", [expired.tokenId]);
    await application.rows('update service_token set revoked_at = now() where id = $1', [revoked.tokenId]);
    const programs = [expired, revoked, ...[unknownToken, 'svct_short', 'x'].map((text) => new ToolingClient(application, text))];
    const answers = [];
    for (const program of programs) answers.push(outcome(await program.call('catalogue')));
    expect(answers[0]).toEqual({
      status: 401,
      text: '{"errors":[{"message":"The service token is not valid. It may be mistyped, expired or revoked.","extensions":{"code":"UNAUTHENTICATED"}}]}',
      challenge: 'Bearer realm="svc"',
    });
    for (const answer of answers) expect(answer).toEqual(answers[0]);
  });

  test('shows when it was used last, exact to a minute', async () => {
    const program = await toolingClient(application, { permissions: ['catalogue.read'] });
    const lastUse = async () => {
      const [row] = await application.rows<{ at: Date | null }>('select last_used_at as at from service_token where id = $1', [
        program.tokenId,
      ]);
      return row?.at?.getTime();
    };
    const noted = async (unlike: number | undefined): Promise<number> => {
      for (let look = 0; look < 1_000; look += 1) {
        const at = await lastUse();
        if (at !== undefined && at !== unlike) return at;
      }
      throw new Error('The use was not noted.');
    };
    await isGood(program);
    const first = await noted(undefined);
    expect(Math.abs(first - application.clock.now().getTime())).toBeLessThan(5_000);
    application.clock.advance(30_000);
    await isGood(program);
    application.clock.advance(31_000);
    const before = application.clock.now().getTime();
    await isGood(program);
    // If the second use had been noted, the third, a moment later, would not have been.
    expect(await noted(first)).toBeGreaterThanOrEqual(before);
  });

  test('writes its last use at most once a minute, and says when that is due', async () => {
    const program = await toolingClient(application, { permissions: ['catalogue.read'] });
    const start = application.clock.now().getTime();
    const em = application.orm.em.fork();
    const useAt = async (seconds: number) => {
      const now = new Date(start + seconds * 1000);
      const due = (await authenticateServiceToken(em, program.token, now))?.useToBeNoted;
      await noteServiceTokenUse(em, program.tokenId, now);
      const [row] = await application.rows<{ at: Date }>('select last_used_at as at from service_token where id = $1', [program.tokenId]);
      return { due, noted: ((row?.at.getTime() ?? 0) - start) / 1000 };
    };
    expect(await useAt(0)).toEqual({ due: true, noted: 0 });
    expect(await useAt(59)).toEqual({ due: false, noted: 0 });
    expect(await useAt(60)).toEqual({ due: true, noted: 60 });
    expect(await useAt(30)).toEqual({ due: false, noted: 60 });
  });

  test('is answered while its last use cannot be noted', async () => {
    const program = await toolingClient(application, { permissions: ['catalogue.read'] });
    const holder = await application.pool.connect();
    try {
      await holder.query('begin');
      await holder.query('select 1 from service_token where id = $1 for update', [program.tokenId]);
      const asked = performance.now();
      expect(await isGood(program)).toBe(true);
      // A statement waits five seconds for a lock.
      expect(performance.now() - asked).toBeLessThan(4_000);
    } finally {
      await holder.query('rollback');
      holder.release();
    }
  });
});

describe('over HTTP a token', () => {
  const body = JSON.stringify({ query: documents.catalogue });
  const json = { 'content-type': 'application/json' };
  const post = (client: PortalClient, headers: Record<string, string>) =>
    client.fetch('/graphql', { method: 'POST', headers: { ...json, ...headers }, body });

  test('needs no Origin and gets no cookie', async () => {
    const program = await toolingClient(application);
    const response = await post(program, {});
    expect(response.status).toBe(200);
    expect(response.headers.getSetCookie()).toEqual([]);
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  test.each(['good', 'made up'])('together with a session cookie (%s) is refused', async (kind) => {
    const { token } = await toolingClient(application);
    const value = kind === 'good' ? admin.cookie : 'x';
    const response = await post(application.browser(), {
      origin: '',
      cookie: `${admin.cookieName}=${value}`,
      authorization: `Bearer ${token}`,
    });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'FORBIDDEN' } }] });
  });

  test.each(['Basic dXNlcjpwYXNz', 'Bearer', 'Bearer a b', 'svct_x', 'Digest x'])(
    'has to come as Bearer: %j is refused, with a good cookie too',
    async (authorization) => {
      for (const client of [application.browser(), admin.copy()]) {
        const response = await post(client, { authorization });
        expect(response.status).toBe(401);
        expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] });
      }
    },
  );

  test('opens nothing but POST /graphql', async () => {
    const { token } = await toolingClient(application);
    const authorization = `Bearer ${token}`;
    const statusOf = async (method: string, path: string) =>
      (await application.browser().fetch(path, { method, headers: { origin: '', authorization } })).status;
    expect(await statusOf('POST', '/integrations')).toBe(403);
    expect(await statusOf('POST', '/graphql/')).toBe(403);
    expect(await statusOf('PUT', '/graphql')).toBe(403);
    expect(await statusOf('GET', '/graphql')).toBe(405);
    expect(await statusOf('GET', `/certificates/crt_${'0'.repeat(26)}/bundle.pem`)).toBe(401);
  });

  test('does not excuse a browser from Origin', async () => {
    const response = await post(admin.copy(), { origin: '' });
    expect(response.status).toBe(403);
  });

  test('is judged before the body is read', async () => {
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(application.portalUrl).port), '127.0.0.1');
      const head = [
        'POST /graphql HTTP/1.1',
        'Host: localhost',
        'Content-Type: application/json',
        `Authorization: Bearer ${unknownToken}`,
        'Content-Length: 20000000',
      ];
      socket.write(`${head.join('\r\n')}\r\n\r\n{`);
      socket.once('data', (data) => {
        resolve(data.toString());
        socket.destroy();
      });
      socket.once('error', reject);
    });
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('may send 20 MiB if it feeds resources, else as little as everyone', async () => {
    const [feeder, reader] = [
      await toolingClient(application, { permissions: ['resources.write'] }),
      await toolingClient(application, { permissions: ['catalogue.read', 'shares.write'] }),
    ];
    const sent = async (client: PortalClient, bytes: number) => {
      const text = JSON.stringify({ query: '{ __typename }', variables: { padding: '' } });
      const padded = text.replace('"padding":""', `"padding":"${'x'.repeat(bytes - text.length)}"`);
      expect(padded.length).toBe(bytes);
      const response = await client.fetch('/graphql', { method: 'POST', headers: json, body: padded });
      const { errors } = (await response.json()) as { errors?: { extensions: { code: string } }[] };
      return [response.status, errors?.[0]?.extensions.code];
    };
    expect(await sent(feeder, 20 * 1024 * 1024)).toEqual([200, undefined]);
    expect(await sent(feeder, 20 * 1024 * 1024 + 1)).toEqual([413, 'BAD_USER_INPUT']);
    expect(await sent(reader, 128 * 1024)).toEqual([200, undefined]);
    expect(await sent(reader, 128 * 1024 + 1)).toEqual([413, 'BAD_USER_INPUT']);
  });

  test('that is good gets what is wrong with its document as GraphQL says it', async () => {
    const program = await toolingClient(application);
    const response = await program.fetch('/graphql', { method: 'POST', headers: json, body: '{' });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] });
  });
});

test('whatever happens to tokens, the log holds none of them, but the id of the one that was used', async () => {
  const { token, serviceToken } = await made();
  const program = new ToolingClient(application, token);
  await program.call('catalogue');
  await program.graphql('{ nonsense }');
  await program.call('createServiceToken', input());
  await program.call('upsertTrackedResources', { input: { resources: [{ data: token }] } });
  await program.graphql(`{ catalogue(after: "${token}") { pageInfo { hasNextPage } } }`);
  await new ToolingClient(application, `${token}0`).call('catalogue');
  await application.browser().fetch('/graphql', { method: 'POST', headers: { authorization: token, origin: '' }, body: '{' });
  await application.rows('alter table integration rename column status to status_away');
  expect(codesOf(await program.call('catalogue'))).toEqual(['INTERNAL_SERVER_ERROR']);
  await application.rows('alter table integration rename column status_away to status');
  await application.rows('alter table service_token rename column token_hash to token_hash_away');
  expect((await program.fetch('/graphql', { method: 'POST', body: '{}' })).status).toBe(500);
  await application.rows('alter table service_token rename column token_hash_away to token_hash');
  expect(application.log()).not.toContain(token.slice(5, 40));
  expect(application.log()).not.toMatch(/svct_[0-9a-z]/);
  expect(application.log()).toContain(`"serviceTokenId":"${serviceToken.id}"`);
});

test('after twenty bad tokens from one address in a minute the next are told to wait, but no good token is, seen before or not', async () => {
  const other = await openWorld({ portal: true });
  try {
    const [unseen, revoked] = [await toolingClient(other), await toolingClient(other)];
    const stranger = new ToolingClient(other, unknownToken);
    const statuses = [];
    for (let attempt = 0; attempt < 22; attempt += 1) statuses.push((await stranger.call('catalogue')).status);
    expect(statuses).toEqual([...Array<number>(20).fill(401), 429, 429]);
    expect(await isGood(unseen)).toBe(true);
    expect((await new ToolingClient(other, 'svct_short').call('catalogue')).status).toBe(429);
    await other.rows('update service_token set revoked_at = now() where id = $1', [revoked.tokenId]);
    const refused = await revoked.call('catalogue');
    expect(codesOf(refused)).toEqual(['RATE_LIMITED']);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.errors[0]?.extensions.retryAfterSeconds).toBe(Number(refused.headers.get('retry-after')));
    expect(await isGood(unseen)).toBe(true);
    expect((await other.browser().viewer()).status).toBe(200);
  } finally {
    await other.close();
  }
});

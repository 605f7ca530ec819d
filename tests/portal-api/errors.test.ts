import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import { codesOf, type PortalClient } from '../support/clients/portalClient.ts';

let application: PortalWorld;
let operator: PortalClient;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  operator = await application.operator();
});
afterAll(() => application.close());

const innards = /select |insert |update |relation|column|\$1|\/server\/|\.ts|\.js|stack|    at |pg_|kysely|mikro/i;

describe('an unexpected failure', () => {
  test('is masked; only the log learns of it, without the values', async () => {
    await application.rows('alter table terms_version rename to terms_version_away');
    try {
      const answer = await operator.call('currentTerms');
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([500, null]);
      expect(answer.text).toBe(
        '{"errors":[{"message":"Something went wrong on our side. Try again later.","path":["currentTerms"],"extensions":{"code":"INTERNAL_SERVER_ERROR"}}],"data":null}\n',
      );
      expect(application.log()).toContain('graphql.internalError');
      expect(application.log()).toContain('42P01');
    } finally {
      await application.rows('alter table terms_version_away rename to terms_version');
    }
  });

  test('of one field takes nothing from the others, and the status says that something failed', async () => {
    const { slug } = await operator.createIntegration();
    await application.rows('alter table sandbox_corpus rename to sandbox_corpus_away');
    try {
      const answer = await operator.graphql(`{ integration(slug: "${slug}") { slug clients { corpus { state } } } }`);
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([500, null]);
      expect(answer.data).toEqual({ integration: { slug, clients: [{ corpus: null }] } });
      expect(codesOf(answer)).toEqual(['INTERNAL_SERVER_ERROR']);
      expect((await operator.graphql('{ integration(slug: "gone") { slug } }')).status).toBe(200);
    } finally {
      await application.rows('alter table sandbox_corpus_away rename to sandbox_corpus');
    }
  });

  test('in reading the session is masked as well', async () => {
    await application.rows('alter table portal_session rename to portal_session_away');
    try {
      const answer = await operator.viewer();
      expect(answer.status).toBe(500);
      expect(codesOf(answer)).toEqual(['INTERNAL_SERVER_ERROR']);
      expect(answer.text).not.toMatch(innards);
    } finally {
      await application.rows('alter table portal_session_away rename to portal_session');
    }
    expect((await operator.viewer()).data).not.toBeNull();
  });
});

describe('text that PostgreSQL cannot hold', () => {
  test.each([
    ['integration', { slug: '\u0000' }],
    ['integrations', { after: Buffer.from('int_\u0000').toString('base64url') }],
    ['confirmRegistration', { input: { token: '\u0000' } }],
    ['requestRegistration', { input: { email: 'a\u0000b@example.com' } }],
  ] as const)('is the caller’s mistake in %s', async (operation, variables) => {
    const answer = await operator.call(operation, variables);
    expect(['BAD_USER_INPUT', 'NOT_FOUND']).toContain(codesOf(answer)[0]);
    expect(answer.text).not.toMatch(innards);
  });
});

describe('documents that are refused before anything runs', () => {
  const refused = async (query: string, variables = {}) => {
    const answer = await operator.graphql(query, variables);
    expect(answer.data).toBeNull();
    expect(answer.text).not.toMatch(/    at |\/server\/|node_modules/);
    return answer;
  };

  test('a document that does not parse', async () => {
    expect(codesOf(await refused('{ viewer {'))).toEqual(['GRAPHQL_PARSE_FAILED']);
  });

  test('a field that does not exist', async () => {
    expect(codesOf(await refused('{ viewer { password } }'))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
  });

  test('a variable of a wrong type, whose value is not repeated', async () => {
    const answer = await refused('mutation ($input: RequestRegistrationInput!) { requestRegistration(input: $input) }', {
      input: { email: ['private@example.com'] },
    });
    expect(codesOf(answer)).toEqual(['BAD_USER_INPUT']);
    expect(answer.errors[0]?.message).toBe('input.email has a value of the wrong type.');
    expect(application.log()).not.toContain('private@example.com');
  });

  test.each([
    ['a field that there is not', { email: 'a@example.com', vin: 'private-1' }, 'input.vin', 'is not an accepted field'],
    ['a name that could be a secret', { email: 'a@example.com', '49.4521': 'private-1' }, 'input.(unnamed)', 'is not an accepted field'],
    ['a field that is missing', {}, 'input.email', 'is required'],
    ['a value of a wrong type', { email: 'private-1", at "x"; Field "y" is not', vin: {} }, 'input.vin', 'is not an accepted field'],
    ['a whole input that is missing', undefined, 'input', 'is required'],
  ])('%s in a variable is named by its place', async (_, input, path, message) => {
    const answer = await refused('mutation ($input: RequestRegistrationInput!) { requestRegistration(input: $input) }', { input });
    expect(answer.errors[0]?.extensions).toEqual({ code: 'BAD_USER_INPUT', fields: [{ path, message }] });
    expect(answer.text).not.toMatch(/private-1|49\.4521/);
  });

  test('a number that is too large is named by its variable', async () => {
    const answer = await refused('query ($first: Int!) { integrations(first: $first) { totalCount } }', { first: 3_000_000_000 });
    expect(answer.errors[0]?.extensions).toMatchObject({ fields: [{ path: 'first', message: 'has a value of the wrong type' }] });
  });

  test('a fragment inside itself', async () => {
    expect(codesOf(await refused('{ integrations { ...F } } fragment F on IntegrationConnection { totalCount ...F }'))).toEqual([
      'GRAPHQL_VALIDATION_FAILED',
    ]);
  });

  test('introspection that nests lists without end', async () => {
    const nested = (depth: number): string => (depth === 0 ? 'name' : `fields { type { ${nested(depth - 1)} } }`);
    expect(codesOf(await refused(`{ __schema { types { ${nested(6)} } } }`))).toEqual(['GRAPHQL_VALIDATION_FAILED']);
  });

  test('a document whose lists cost too much, also by aliases', async () => {
    const certificates =
      'edges { node { id slug status createdAt clients { id commonName certificatesInUse { id status serial keyType notAfter failure } } profile { version publicName purpose } } }';
    const dear = await refused(`{ one: integrations(first: 100) { ${certificates} } other: integrations(first: 100) { ${certificates} } }`);
    expect(dear.errors[0]?.message).toMatch(/costs \d+; at most 3000/);
    const aliases = Array.from({ length: 100 }, (_, index) => `a${index}: integrations(first: 10) { totalCount }`).join(' ');
    expect((await refused(`{ ${aliases} }`)).errors[0]?.message).toMatch(/costs \d+/);
    expect((await operator.graphql('{ integrations(first: 100) { edges { node { id slug } } } }')).errors).toEqual([]);
  });

  test('a document that asks for more than two long texts', async () => {
    const texts = (count: number) =>
      `{ ${Array.from({ length: count }, (_, index) => `a${index}: terms(version: 1) { version title markdown publishedAt }`).join(' ')} }`;
    expect((await operator.graphql(texts(2))).errors).toEqual([]);
    expect((await refused(texts(3))).errors[0]?.message).toMatch(/costs \d+/);
  });

  test('a document that does the same thing hundreds of times', async () => {
    const many = Array.from({ length: 400 }, (_, index) => `a${index}: beginSignIn`).join(' ');
    expect((await refused(`mutation { ${many} }`)).errors[0]?.message).toMatch(/costs \d+/);
  });

  test('a list whose size is hidden in a variable', async () => {
    const answer = await refused(
      'query ($n: Int!) { integrations(first: $n) { edges { node { id slug status createdAt clients { id commonName scopes createdAt environment certificatesInUse { id status serial keyType notAfter failure source issuedAt } } } } } again: integrations(first: $n) { edges { node { id slug status createdAt profile { publicName purpose country supportEmail websiteUrl } clients { id commonName } } } } }',
      { n: 100 },
    );
    expect(answer.errors[0]?.message).toMatch(/costs \d+/);
  });

  test('a document of thousands of tokens', async () => {
    expect(codesOf(await refused(`{ ${'viewer { kind } '.repeat(2_000)} }`))).toEqual(['GRAPHQL_PARSE_FAILED']);
  });

  test('several operations without a name', async () => {
    expect(codesOf(await refused('query A { viewer { kind } } query B { viewer { kind } }'))).toEqual(['OPERATION_RESOLUTION_FAILURE']);
  });

  test('a batch of documents', async () => {
    const response = await operator.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([{ query: '{ viewer { kind } }' }]),
    });
    expect(response.status).toBe(400);
  });
});

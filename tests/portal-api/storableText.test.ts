import { afterAll, beforeAll, expect, test } from '@jest/globals';
import {
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredInputField,
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import { permissions, type Operation } from '../../server/domain/access/permissions.ts';
import { grantRole } from '../../server/domain/programme/grantRole.ts';
import { graphqlLimits } from '../../server/portal-api/graphqlLimits.ts';
import { portalSchema } from '../../server/portal-api/portalSchema.ts';
import { openWorld, type PortalWorld } from '../support/world/openWorld.ts';
import type { Answer, PortalClient } from '../support/clients/portalClient.ts';
import { documents } from '../support/clients/portalDocuments.ts';
import { administrator, toolingClient } from '../support/clients/toolingClient.ts';

const nul = 'a\u0000b';
const half = 'a\ud800b';

/** A place where a caller may send a text, with variables that have this text there and something of the right type everywhere else. */
type Place = { readonly path: string; with(text: string): Record<string, unknown> };

let application: PortalWorld;
let schema: GraphQLSchema;
let staff: PortalClient;
let tooling: PortalClient;
beforeAll(async () => {
  application = await openWorld({ portal: true });
  schema = await portalSchema();
  staff = await administrator(application);
  await grantRole(application.orm.em.fork(), {
    actor: { type: 'system', name: 'terminal' },
    email: staff.email,
    role: 'reviewer',
    now: application.clock.now(),
  });
  await staff.confirmFreshly();
  tooling = await toolingClient(application);
});
afterAll(() => application.close());

function argumentsOf(operation: Operation): readonly GraphQLArgument[] {
  return (schema.getQueryType()?.getFields()[operation] ?? schema.getMutationType()?.getFields()[operation])?.args ?? [];
}

function placesOf(operation: Operation): Place[] {
  const usual = objectOf(argumentsOf(operation));
  return argumentsOf(operation).flatMap((argument) =>
    placesIn(argument.type, argument.name).map(({ path, put }) => ({
      path,
      with: (text) => ({ ...usual, [argument.name]: put(text) }),
    })),
  );
}

function placesIn(type: GraphQLInputType, path: string): { path: string; put: (text: string) => unknown }[] {
  if (isNonNullType(type)) return placesIn(type.ofType, path);
  if (isListType(type)) return placesIn(type.ofType, `${path}[0]`).map(({ put, ...place }) => ({ ...place, put: (text) => [put(text)] }));
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    return fields.flatMap(({ name, type: inner }) =>
      placesIn(inner, `${path}.${name}`).map(({ put, ...place }) => ({
        ...place,
        put: (text) => ({ ...objectOf(fields), [name]: put(text) }),
      })),
    );
  }
  if (isEnumType(type)) return [];
  if (type.name === 'JSON') return [{ path: `${path}.deep[0].name`, put: (text) => ({ deep: [{ name: text }] }) }];
  return type.name === 'String' || type.name === 'ID' ? [{ path, put: (text) => text }] : [];
}

/** The fields that must be sent, each with something of its type. */
function objectOf(fields: readonly (GraphQLArgument | GraphQLInputField)[]): Record<string, unknown> {
  return Object.fromEntries(fields.filter(isRequiredInputField).map(({ name, type }) => [name, valueOf(type)]));
}

function valueOf(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return valueOf(type.ofType);
  if (isListType(type)) return [valueOf(type.ofType)];
  if (isInputObjectType(type)) return objectOf(Object.values(type.getFields()));
  if (isEnumType(type)) return type.getValues()[0]?.name;
  const values: Record<string, unknown> = { Int: 1, Float: 1, Boolean: true, JSON: {}, DateTimeISO: '2026-12-01T00:00:00Z' };
  return values[type.name] ?? 'x';
}

const callerOf = (operation: Operation) => (permissions[operation].by === 'serviceToken' ? tooling : staff).copy();

function expectRefusedAt(answer: Answer<unknown>, path: string): void {
  expect(answer.status).toBe(400);
  expect(answer.errors.map(({ extensions }) => extensions)).toEqual([
    { code: 'BAD_USER_INPUT', fields: [{ path, message: 'This contains a character that cannot be stored.' }] },
  ]);
}

test.each(Object.keys(documents) as Operation[])('what PostgreSQL cannot hold is refused wherever %s takes a text', async (operation) => {
  for (const place of placesOf(operation)) {
    for (const text of [nul, half]) expectRefusedAt(await callerOf(operation).call(operation, place.with(text)), place.path);
  }
  expect(application.log()).not.toContain('internalError');
});

test.each([
  ['an argument', '{ submission(id: "\\u0000") { id } }', 'id'],
  ['a block of text', '{ submission(id: """a\u0000b""") { id } }', 'id'],
  ['an input', 'mutation { takeSubmission(input: { submissionId: "\\u0000" }) { id } }', 'input.submissionId'],
  ['what a variable is without a value', 'query ($id: ID! = "\\u0000") { submission(id: $id) { id } }', 'id'],
  ['a fragment', '{ ...F } fragment F on Query { submission(id: "\\u0000") { id } }', 'id'],
  [
    'JSON',
    `mutation { upsertTrackedResources(input: { resources: [
      { type: order, key: "a", version: "1", historyComplete: true, data: {} }
      { type: order, key: "b", version: "1", historyComplete: true, data: { deep: [{ name: "\\u0000" }] } }
    ] }) { created } }`,
    'input.resources[1].data.deep[0].name',
  ],
])('what PostgreSQL cannot hold is refused in %s of the document', async (_where, document, path) => {
  expectRefusedAt(await staff.copy().graphql(document), path);
  expect(application.log()).not.toContain('internalError');
});

test('a name in JSON that cannot be stored is refused and not repeated', async () => {
  const input = { resources: [{ type: 'order', key: 'a', version: '1', historyComplete: true, data: { [`49${nul}`]: 1 } }] };
  expectRefusedAt(await tooling.call('upsertTrackedResources', { input }), 'input.resources[0].data.(unnamed)');
});

/** The answer to a sign-in whose JSON has this text in the place of the passkey's response. */
async function answerTo(json: string): Promise<string> {
  const response = await staff.copy().fetch('/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"query": ${JSON.stringify(documents.finishSignIn)}, "variables": {"input": {"response": ${json}}}}`,
  });
  expect(response.status).toBe(400);
  return response.text();
}

test('JSON that nests deeper than anybody needs is refused before it is parsed', async () => {
  const nested = (depth: number) => `${'['.repeat(depth)}"\\u0000"${']'.repeat(depth)}`;
  expect(await answerTo(nested(graphqlLimits.jsonDepth - 3))).toContain('This contains a character that cannot be stored.');
  for (const depth of [graphqlLimits.jsonDepth - 2, 60_000]) {
    expect(await answerTo(nested(depth))).toContain('The JSON nests deeper than 64 levels.');
  }
});

test('a number with more digits than anybody needs is refused before it is parsed, and text may have as many as it likes', async () => {
  const digits = '9'.repeat(graphqlLimits.jsonDigits);
  for (const few of [`[${digits}, "\\u0000"]`, `"9${digits}\\u0000"`]) {
    expect(await answerTo(few)).toContain('This contains a character that cannot be stored.');
  }
  for (const many of [`9${digits}`, `-0.9${digits}`, `[1e9${digits}]`]) {
    expect(await answerTo(many)).toContain('The JSON has a number of more than 1000 digits.');
  }
});

test('the places are many', () => {
  const places = (Object.keys(documents) as Operation[]).flatMap(placesOf).map(({ path }) => path);
  expect(places.length).toBeGreaterThan(150);
  expect(places).toEqual(expect.arrayContaining(['slug', 'after', 'input.sessionId', 'input.resources[0].data.deep[0].name']));
});

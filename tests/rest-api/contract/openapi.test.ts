import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { phaseFacts } from '../../../server/domain/integration/integrationFacts.ts';
import { integrationStatuses } from '../../../server/domain/integration/integrationStatus.ts';
import { errorCatalogue, type ErrorCode } from '../../../server/domain/shared/errorCatalogue.ts';
import { operations } from '../../../rest-api/operations.ts';
import { complaintsOfSchema, examplesIn, expectContract, openApi, schemaNamed } from '../../support/clients/contract.ts';

test('the description has exactly the operations of the table', () => {
  const described = Object.entries(openApi.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).sort());
});

test('each example of a problem agrees with the error catalogue and with its schema', () => {
  for (const response of Object.values(openApi.components.responses)) {
    for (const { schema, examples } of Object.values(response.content ?? {})) {
      for (const [code, example] of Object.entries(examples ?? {})) {
        const { value } = example as { value: { status: number; title: string; code: string } };
        const row = errorCatalogue[code as ErrorCode];
        expect(value).toMatchObject({ code, status: row.status, title: row.title });
        expect(complaintsOfSchema(schema, value)).toEqual([]);
      }
    }
  }
});

/** What the code says in words, as expressions: where it inserts something, there may be anything. */
const texts = ['rest-api', 'server/domain', 'server/platform/http'].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => [...readFileSync(join(folder, name), 'utf8').matchAll(/'([^'\n]{16,})'|`([^`\n]{16,})`/g)])
    .map(([, plain, template = '']) => (plain ?? template).split(/\$\{[^{}]*\}/))
    .filter((parts) => parts.join('').length >= 16)
    .map((parts) => new RegExp(`^${parts.map((part) => part.replaceAll(/[^\w ]/g, '\\$&')).join('.*')}$`)),
);

test.each(Object.entries(openApi.components.responses))('each problem of %s has a detail that the service gives', (_name, { content }) => {
  const examples = Object.values(content ?? {}).flatMap((type) => Object.values(type.examples ?? {})) as { value: { detail: string } }[];
  const details = examples.map(({ value }) => value.detail);
  expect(details.filter((detail) => !texts.some((text) => text.test(detail)))).toEqual([]);
});

test('each example of a body, a parameter and a header agrees with its schema', () => {
  const found = examplesIn(openApi);
  for (const { schema, value } of found) expect([value, complaintsOfSchema(schema, value)]).toEqual([value, []]);
  const successes = found.filter(({ where }) => /\.responses\.200\..*\.example$/.test(where));
  expect(successes).toHaveLength(operations.length);
  expect(found.filter(({ where }) => where.includes('requestBody'))).toHaveLength(operations.filter(({ body }) => body).length);
});

test('each operation has the name, the body and the scopes of its row', () => {
  for (const row of operations) {
    const operation = openApi.paths[row.path]?.[row.method.toLowerCase()];
    expect(operation?.operationId).toBe(row.name);
    const body = operation?.requestBody?.content['application/json']?.schema['$ref'];
    const request = operation?.requestBody?.content['application/pkcs10'] && 'pkcs10';
    expect(body === undefined ? request : Object.keys(schemaNamed(body as string)['properties'] as object)).toEqual(row.body);
    for (const scope of row.scopes) expect(operation?.description).toContain(`\`${scope}\``);
    const query = (operation?.parameters ?? []).flatMap((parameter) => (parameter.in === 'query' ? [parameter.name] : []));
    expect(query).toEqual(row.query);
  }
});

test('each status of an integration is described', () => {
  const { integration_status: status } = schemaNamed('#/components/schemas/Capabilities')['properties'] as { integration_status: object };
  expect(status).toMatchObject({ enum: integrationStatuses });
});

test('each code that the machine API answers is described somewhere', () => {
  const portalOnly = new Set(['conflict', 'unauthenticated', 'fresh_passkey_required', 'forbidden']);
  const described = Object.values(openApi.components.responses).flatMap((response) =>
    Object.values(response.content ?? {}).flatMap(({ examples }) => Object.keys(examples ?? {})),
  );
  expect([...new Set(described)].sort()).toEqual(
    Object.keys(errorCatalogue)
      .filter((code) => !portalOnly.has(code))
      .sort(),
  );
});

test('a response that is given because of the status, or of the certificate, is described with every code of that kind', () => {
  const codes = Object.keys(errorCatalogue);
  const kinds = [
    Object.values(phaseFacts).flatMap(({ refusal }) => refusal ?? []),
    codes.filter((code) => code.startsWith('client_certificate_')),
  ];
  const missing = Object.entries(openApi.components.responses).flatMap(([name, { content }]) => {
    const described = new Set(Object.values(content ?? {}).flatMap(({ examples }) => Object.keys(examples ?? {})));
    const wanted = kinds.filter((kind) => kind.some((code) => described.has(code))).flat();
    return [...new Set(wanted)].filter((code) => !described.has(code)).map((code) => `${name} has no example of ${code}`);
  });
  expect(missing).toEqual([]);
});

test('an answer with a status, header, field or code that is not described would fail these tests', () => {
  const [path, headers] = [
    '/v1/capabilities',
    {
      'x-request-id': 'req_06n8h6tzgdb0t0a1w3f5h7k9m2',
      'ratelimit-policy': 'x',
      'x-content-type-options': 'nosniff',
      vary: 'Accept-Encoding',
    },
  ];
  const content = openApi.paths[path]?.['get']?.responses['200']?.content?.['application/json'] as { example: object } | undefined;
  const answer = {
    status: 200,
    headers: { ...headers, 'cache-control': 'no-store', 'content-type': 'application/json' },
    body: content?.example,
    text: '{}',
  };
  expect(() => expectContract('GET', path, answer)).not.toThrow();
  expect(() => expectContract('GET', path, { ...answer, status: 418 })).toThrow('not documented');
  expect(() => expectContract('GET', path, { ...answer, headers: { ...answer.headers, 'x-new': '1' } })).toThrow('x-new');
  expect(() => expectContract('GET', path, { ...answer, headers: { ...answer.headers, 'cache-control': 'public' } })).toThrow(
    'cache-control',
  );
  expect(() => expectContract('GET', path, { ...answer, body: { ...content?.example, vin: 'x' } })).toThrow('vin');
  expect(() => expectContract('GET', path, { ...answer, body: {} })).toThrow('required');
});

import { expect, test } from '@jest/globals';
import { errorCatalogue, type ErrorCode } from '../../server/domain/shared/errorCatalogue.ts';
import { routes } from '../../rest-api/routes.ts';
import { complaintsOfSchema, expectContract, openApi } from '../support/contract.ts';

test('the description has exactly the operations of the route table', () => {
  const described = Object.entries(openApi.paths).flatMap(([path, item]) =>
    Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.sort()).toEqual(routes.map(({ method, path }) => `${method} ${path}`).sort());
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

test('each example of a success agrees with its schema', () => {
  for (const item of Object.values(openApi.paths)) {
    for (const { responses } of Object.values(item)) {
      const content = responses['200']?.content?.['application/json'] as { schema: { $ref: string }; example: unknown };
      expect(complaintsOfSchema(content.schema, content.example)).toEqual([]);
    }
  }
});

test('an answer with a status, header, field or code that is not described would fail these tests', () => {
  const [path, headers] = [
    '/v1/capabilities',
    { 'x-request-id': 'req_06n8h6tzgdb0t0a1w3f5h7k9m2', 'ratelimit-policy': 'x', 'x-content-type-options': 'nosniff' },
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

import { expect, test } from '@jest/globals';
import { buildSchema, graphql, GraphQLError } from 'graphql';
import { createFetchTogether } from '../../../portal-web/src/graphql/fetchTogether.ts';

const schema = buildSchema(`
  type Query { order(id: ID!): Order!, orders(first: Int, id: ID): [Order!], ships: [Ship!] }
  type Mutation { sail: Int }
  type Order { id: ID!, name: String }
  type Ship { id: ID!, name: String }
`);

const facts = 'fragment Facts on Order { id name }';
const order = 'query Order($id: ID!) { order(id: $id) { ...Facts } } ' + facts;
const orders = 'query Orders($id: ID) { orders(id: $id) { ...Facts } } ' + facts;
const ships = 'query Ships { ships { id name } }';
const sail = 'mutation Sail { sail }';

type Behaviour = {
  refuses?: (query: string) => string | null;
  sails?: Promise<void>;
  /** Called with each query; its answer, which is known by then, arrives when this has ended. */
  delay?: () => Promise<void>;
};

/** A service that counts what it is asked, and whose answers say how often something has been changed. */
function service({ refuses = () => null, sails, delay = async () => {} }: Behaviour = {}) {
  const asked: string[] = [];
  let changes = 0;
  const named = (id: string) => ({ id, name: `${id} after ${changes} changes` });
  const rootValue = {
    order({ id }: { id: string }) {
      if (id === 'lost') throw new GraphQLError('There is no such order.', { extensions: { code: 'NOT_FOUND' } });
      return named(id);
    },
    orders: ({ id }: { id: string }) => [named(id)],
    ships() {
      throw new GraphQLError('The harbour is closed.');
    },
    async sail() {
      await sails;
      return (changes += 1);
    },
  };
  const send = async (_: unknown, options?: RequestInit) => {
    const { query, variables, operationName } = JSON.parse(options?.body as string) as {
      query: string;
      variables: Record<string, unknown>;
      operationName: string;
    };
    asked.push(operationName);
    const code = refuses(query);
    const answer = code
      ? { errors: [{ message: 'Refused.', extensions: { code } }] }
      : await graphql({ schema, source: query, variableValues: variables, rootValue });
    if (operationName !== 'Sail') await delay();
    return new Response(JSON.stringify(answer), { status: code ? 400 : 200, headers: { 'content-type': 'application/json' } });
  };
  const together = createFetchTogether(send);
  const bodyOf = (query: string, variables: object = {}) => ({
    body: JSON.stringify({ operationName: /\w+ (\w+)/.exec(query)?.[1], query, variables }),
    headers: { of: 'reader' },
  });
  return {
    asked,
    ask: async (query: string, variables?: object, headers?: Record<string, string>) => {
      const response = await together.fetch('/graphql', { ...bodyOf(query, variables), ...(headers && { headers }) });
      return (await response.json()) as { data: unknown; errors?: { message: string; path?: unknown }[] };
    },
    askAhead: (query: string, variables?: object) => together.askAhead('/graphql', bodyOf(query, variables)),
  };
}

test('what is asked in the same tick goes as one query, with variables and fields of the same name told apart', async () => {
  const { ask, asked } = service();
  const answers = await Promise.all([ask(order, { id: 'a' }), ask(order, { id: 'b' }), ask(orders, { id: 'c' })]);
  expect(asked).toEqual(['Order_Order_Orders']);
  expect(answers).toEqual([
    { data: { order: { id: 'a', name: 'a after 0 changes' } } },
    { data: { order: { id: 'b', name: 'b after 0 changes' } } },
    { data: { orders: [{ id: 'c', name: 'c after 0 changes' }] } },
  ]);
});

test('an error is told to whoever asked for its field, under the name that it has there', async () => {
  const { ask, asked } = service();
  const [first, second] = await Promise.all([ask(orders, { id: 'a' }), ask(ships)]);
  expect(asked).toEqual(['Orders_Ships']);
  expect(first).toEqual({ data: { orders: [{ id: 'a', name: 'a after 0 changes' }] } });
  expect(second).toMatchObject({ data: { ships: null }, errors: [{ message: 'The harbour is closed.', path: ['ships'] }] });
});

test('where one part fails so that all data is lost, the others are asked again, and it is not', async () => {
  const { ask, asked } = service();
  const [lost, found, listed] = await Promise.all([ask(order, { id: 'lost' }), ask(order, { id: 'a' }), ask(orders, { id: 'b' })]);
  expect(asked).toEqual(['Order_Order_Orders', 'Order_Orders']);
  expect(lost).toMatchObject({ data: null, errors: [{ message: 'There is no such order.', path: ['order'] }] });
  expect([found.data, listed.data]).toMatchObject([{ order: { id: 'a' } }, { orders: [{ id: 'b' }] }]);
});

test.each(['BAD_USER_INPUT', 'GRAPHQL_PARSE_FAILED', 'GRAPHQL_VALIDATION_FAILED'])(
  'what is refused as a whole with %s is asked part by part',
  async (code) => {
    const { ask, asked } = service({ refuses: (query) => (query.includes('orders') && query.includes('order(') ? code : null) });
    const answers = await Promise.all([ask(order, { id: 'a' }), ask(orders, { id: 'b' })]);
    expect(asked).toEqual(['Order_Orders', 'Order', 'Orders']);
    expect(answers.map(({ data }) => data)).toMatchObject([{ order: { id: 'a' } }, { orders: [{ id: 'b' }] }]);
  },
);

test('any other refusal is told to everybody, and nothing is asked again', async () => {
  const { ask, asked } = service({ refuses: () => 'RATE_LIMITED' });
  const answers = await Promise.all([ask(order, { id: 'a' }), ask(orders, { id: 'b' })]);
  expect(asked).toEqual(['Order_Orders']);
  expect(answers).toMatchObject([{ errors: [{ message: 'Refused.' }] }, { errors: [{ message: 'Refused.' }] }]);
});

test('a request in the background, a change, and a query whose fragment reads a variable go by themselves', async () => {
  const { ask, asked } = service();
  const reading = 'query Reading($id: ID!) { ...Root } fragment Root on Query { order(id: $id) { id } }';
  await Promise.all([ask(orders, { id: 'a' }), ask(orders, { id: 'b' }, { background: '1' }), ask(sail)]);
  expect(asked.toSorted()).toEqual(['Orders', 'Orders', 'Sail']);
  asked.length = 0;
  expect(await Promise.all([ask(orders, { id: 'a' }), ask(reading, { id: 'b' })])).toMatchObject([{}, { data: { order: { id: 'b' } } }]);
  expect(asked).toEqual(['Orders', 'Reading']);
});

test('what was asked ahead answers the first who asks for the same, once, and nobody else', async () => {
  const { ask, askAhead, asked } = service();
  askAhead(order, { id: 'a' });
  await ask(orders, { id: 'a' });
  expect(asked).toEqual(['Order_Orders']);
  await ask(order, { id: 'b' });
  expect(asked).toHaveLength(2);
  expect(await ask(order, { id: 'a' })).toMatchObject({ data: { order: { id: 'a' } } });
  expect(asked).toHaveLength(2);
  await ask(order, { id: 'a' });
  expect(asked).toHaveLength(3);
});

test('what was asked ahead is void as soon as something is changed, also while it is on its way', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const { ask, askAhead } = service({ sails: promise });
  askAhead(orders, { id: 'a' });
  await ask(ships);
  const changing = ask(sail);
  askAhead(orders, { id: 'b' });
  await ask(ships);
  resolve();
  await changing;
  expect(await ask(orders, { id: 'a' })).toEqual({ data: { orders: [{ id: 'a', name: 'a after 1 changes' }] } });
  expect(await ask(orders, { id: 'b' })).toEqual({ data: { orders: [{ id: 'b', name: 'b after 1 changes' }] } });
});

test.each([
  ['alone', [], 'Order'],
  ['with others', [orders], 'Order_Orders'],
])('what a change overtakes on its way is asked again, %s', async (_, others, operation) => {
  const answered = Promise.withResolvers<void>();
  const arrives = Promise.withResolvers<void>();
  const { ask, asked } = service({ delay: () => (answered.resolve(), arrives.promise) });
  const answers = Promise.all([order, ...others].map((query) => ask(query, { id: 'a' })));
  await answered.promise;
  await ask(sail);
  arrives.resolve();
  const now = { id: 'a', name: 'a after 1 changes' };
  expect(await answers).toEqual([{ data: { order: now } }, ...others.map(() => ({ data: { orders: [now] } }))]);
  expect(asked).toEqual([operation, 'Sail', operation]);
});

test('what a change in the background overtakes is not asked again', async () => {
  const answered = Promise.withResolvers<void>();
  const arrives = Promise.withResolvers<void>();
  const { ask, asked } = service({ delay: () => (answered.resolve(), arrives.promise) });
  const answer = ask(order, { id: 'a' });
  await answered.promise;
  await ask(sail, {}, { 'x-svc-background': '1' });
  arrives.resolve();
  await answer;
  expect(asked).toEqual(['Order', 'Sail']);
});

test('what was asked ahead and is forgotten is asked again', async () => {
  const { ask, askAhead, asked } = service();
  const forget = askAhead(orders, { id: 'a' });
  await ask(ships);
  forget();
  // An answer takes longer than the moment for which somebody could still ask for what is forgotten.
  await ask(ships);
  await ask(orders, { id: 'a' });
  expect(asked).toEqual(['Orders_Ships', 'Ships', 'Orders']);
});

test('what was asked ahead and failed is asked again by whoever asks after the failure', async () => {
  let isDown = true;
  const { ask, askAhead, asked } = service({ refuses: () => (isDown ? 'INTERNAL_SERVER_ERROR' : null) });
  askAhead(orders, { id: 'a' });
  // Sent with it, and answered after it.
  expect(await ask(ships)).toMatchObject({ errors: [{ message: 'Refused.' }] });
  isDown = false;
  expect(await ask(orders, { id: 'a' })).toMatchObject({ data: { orders: [{ id: 'a' }] } });
  expect(asked).toEqual(['Orders_Ships', 'Orders']);
});

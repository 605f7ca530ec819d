import { expect, test } from '@jest/globals';
import { cacheExchange, Client, createRequest, fetchExchange, gql, type RequestPolicy } from '@urql/core';
import { askedBeforeHolds, beforePage, createAskedBefore } from '../../../portal-web/src/graphql/askedBefore.ts';

const ships = gql`
  query Ships {
    ships
  }
`;
const sail = gql`
  mutation Sail {
    sail
  }
`;

/** A client whose service counts its answers, and whose clock is set by hand. */
function reader() {
  let time = 0;
  let asked = 0;
  let isReachable = true;
  let changed = Promise.resolve();
  const { beforeCache, behindCache, takeAsked } = createAskedBefore(() => time);
  const client = new Client({
    url: 'http://service.example/graphql',
    preferGetMethod: false,
    fetch: async (_, options) => {
      if (!isReachable) throw new TypeError('Failed to fetch');
      if (JSON.stringify(options).includes('Sail')) await changed;
      return Response.json({ data: { ships: (asked += 1) } });
    },
    exchanges: [beforeCache, cacheExchange, behindCache, fetchExchange],
  });
  const last = (requestPolicy: RequestPolicy) => client.query(ships, {}, { requestPolicy }).toPromise();
  return {
    wait: (milliseconds: number) => void (time += milliseconds),
    rest: () => client.query(ships, {}, beforePage).toPromise(),
    /** How often the service has been asked when the page has what it shows. */
    open: async (requestPolicy: RequestPolicy = 'cache-and-network') => {
      const { data } = await last(requestPolicy);
      expect((data as { ships: number }).ships).toBe(asked);
      return asked;
    },
    /** Whether what stays shown from page to page is as new as the page that is opened. */
    stays: () => takeAsked(client.createRequestOperation('query', createRequest(ships, {}))),
    lose: () => void (isReachable = false),
    find: () => void (isReachable = true),
    /** Changes something, which takes until the returned function is called. */
    beginChange: () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      changed = promise;
      const ended = client.mutation(sail, {}).toPromise();
      return () => {
        resolve();
        return ended;
      };
    },
    change: () => client.mutation(sail, {}).toPromise(),
  };
}

test('a page that was asked for moments ago does not ask again, and much later it does', async () => {
  const { rest, wait, open } = reader();
  await rest();
  wait(askedBeforeHolds - 1);
  expect([await open(), await open()]).toEqual([1, 1]);
  wait(1);
  expect(await open()).toBe(2);
});

test('a page asks only once if it is opened while the answer is under way', async () => {
  const { rest, open } = reader();
  const answered = rest();
  expect(await open()).toBe(1);
  await answered;
});

test('a page that has been open is asked for again before it is opened, and only once while the pointer comes and goes', async () => {
  const { rest, open } = reader();
  expect(await open()).toBe(1);
  await rest();
  await rest();
  expect(await open()).toBe(2);
});

test('a page shows nothing from before the reader’s own change', async () => {
  const { rest, change, open } = reader();
  await rest();
  await change();
  expect(await open()).toBe(3);
});

test('a page shows nothing from before a change that was under way when it was asked for', async () => {
  const { rest, beginChange, open } = reader();
  const end = beginChange();
  await rest();
  await end();
  expect(await open()).toBe(3);
});

test('a question that failed is none: the page asks itself, and shows nothing older as new', async () => {
  const { rest, lose, find, open, stays } = reader();
  expect(await open()).toBe(1);
  lose();
  await rest();
  find();
  expect(stays()).toBe(false);
  expect(await open()).toBe(2);
});

test('a page that wants an answer of its own gets one', async () => {
  const { rest, open } = reader();
  await rest();
  expect(await open('network-only')).toBe(2);
});

test('what stays shown is not read again with the page that it was asked for with, but with the next one', async () => {
  const { rest, stays } = reader();
  expect(stays()).toBe(false);
  await rest();
  expect([stays(), stays()]).toEqual([true, false]);
});

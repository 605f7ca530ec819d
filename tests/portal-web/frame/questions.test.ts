import { expect, test } from '@jest/globals';
import { cacheExchange, Client, fetchExchange, gql, type RequestPolicy } from '@urql/core';
import { askedHolds, createQuestions, share } from '../../../portal-web/src/graphql/questions.ts';

type Fleet = { readonly ships: number; readonly harbours: number };

const ships = gql<Pick<Fleet, 'ships'>, object>`
  query Ships {
    ships
  }
`;
const harbours = gql<Pick<Fleet, 'harbours'>, object>`
  query Harbours {
    harbours
  }
`;
const fleet = gql<Fleet, object>`
  query Fleet {
    ships
    harbours
  }
`;
const sail = gql`
  mutation Sail {
    sail {
      __typename
    }
  }
`;

/** A client whose service counts its answers, and whose clock is set by hand. */
function reader() {
  let time = 0;
  let answers = 0;
  let isReachable = true;
  let changed = Promise.resolve();
  const asked: string[] = [];
  const refused = new Set<string>();
  const { beforeCache, behindCache, askWith } = createQuestions(() => time);
  const client = new Client({
    url: 'http://service.example/graphql',
    preferGetMethod: false,
    fetch: async (_, options) => {
      const { operationName } = JSON.parse(options?.body as string) as { readonly operationName: string };
      asked.push(operationName);
      if (!isReachable) throw new TypeError('Failed to fetch');
      if (operationName === 'Sail') await changed;
      if (operationName === 'Sail') return Response.json({ data: { sail: { __typename: 'Ship' } } });
      if (refused.has(operationName)) return Response.json({ data: null, errors: [{ message: 'No.' }] });
      const answer = (answers += 1);
      const all = { ships: answer, harbours: answer * 10 };
      return Response.json({ data: { Fleet: all, Harbours: { harbours: all.harbours } }[operationName] ?? { ships: all.ships } });
    },
    exchanges: [beforeCache, cacheExchange, behindCache, fetchExchange],
  });
  const [ask, askAhead] = [askWith(client, false), askWith(client, true)];
  return {
    asked,
    refused,
    wait: (milliseconds: number) => void (time += milliseconds),
    /** What a loader does when its page is opened. */
    load: () => ask(ships, {}),
    /** What it does while the pointer rests on the link. */
    rest: () => askAhead(ships, {}),
    loadFleet: () =>
      ask(
        fleet,
        {},
        share(ships, {}, (data) => ({ ships: data.ships }), { additionalTypenames: ['Ship'] }),
        share(harbours, {}, (data) => ({ harbours: data.harbours })),
      ),
    /** What the page shows once it has read. */
    open: async (requestPolicy: RequestPolicy = 'cache-and-network') => {
      const { data } = await client.query(ships, {}, { requestPolicy }).toPromise();
      return data?.ships ?? null;
    },
    openHarbours: async () => {
      const { data } = await client.query(harbours, {}, { requestPolicy: 'cache-and-network' }).toPromise();
      return data?.harbours ?? null;
    },
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
    /** What a page shows that stays open, each time that it changes. */
    watch: () => {
      const shown: unknown[] = [];
      const subscription = client
        .query(ships, {}, { requestPolicy: 'cache-and-network', additionalTypenames: ['Ship'] })
        .subscribe(({ data }) => {
          if (data && shown.at(-1) !== data.ships) shown.push(data.ships);
        });
      return { shown, unsubscribe: () => subscription.unsubscribe() };
    },
    settle: () => new Promise((resolve) => setTimeout(resolve)),
  };
}

test('a page whose loader asked moments ago does not ask again, and much later it does', async () => {
  const { load, wait, open, asked } = reader();
  load();
  wait(askedHolds - 1);
  expect([await open(), await open(), asked.length]).toEqual([1, 1, 1]);
  wait(1);
  expect([await open(), asked.length]).toEqual([2, 2]);
});

test('what was asked while the pointer rested on a link is used once: by the page that is opened then', async () => {
  const { rest, load, settle, open, asked } = reader();
  rest();
  await settle();
  load();
  expect([await open(), asked.length]).toEqual([1, 1]);
  load();
  await settle();
  expect([await open(), asked.length]).toEqual([2, 2]);
});

test('what a page was opened with moments ago is asked for again while the pointer rests on the next link, and not with its click', async () => {
  const { rest, load, settle, open, asked } = reader();
  load();
  await settle();
  rest();
  await settle();
  expect(asked.length).toBe(2);
  load();
  expect([await open(), asked.length]).toEqual([2, 2]);
});

test('a page that is opened again at once is shown what it showed, and what is new as soon as it is there', async () => {
  const { load, open, watch, settle } = reader();
  load();
  expect(await open()).toBe(1);
  load();
  const { shown, unsubscribe } = watch();
  expect(shown).toEqual([1]);
  await settle();
  unsubscribe();
  expect(shown).toEqual([1, 2]);
});

test('a page asks only once if it is opened while the answer is under way', async () => {
  const { load, open, asked } = reader();
  load();
  expect([await open(), asked.length]).toEqual([1, 1]);
});

test('a page that has been open is asked for again before it is opened, and only once while the pointer comes and goes', async () => {
  const { rest, open, settle, asked } = reader();
  expect(await open()).toBe(1);
  rest();
  await settle();
  rest();
  await settle();
  expect([await open(), asked.length]).toEqual([2, 2]);
});

test('a page shows nothing from before the reader’s own change', async () => {
  const { load, settle, change, open } = reader();
  load();
  await settle();
  await change();
  expect(await open()).toBe(2);
});

test('a page shows nothing from before a change that was under way when it was asked for', async () => {
  const { load, settle, beginChange, open } = reader();
  const end = beginChange();
  load();
  await settle();
  await end();
  expect(await open()).toBe(2);
});

test('a question that failed is none: the page asks itself, and shows nothing older as new', async () => {
  const { load, settle, lose, find, open } = reader();
  expect(await open()).toBe(1);
  lose();
  load();
  await settle();
  find();
  expect(await open()).toBe(2);
});

test('a page that wants an answer of its own gets one', async () => {
  const { load, settle, open } = reader();
  load();
  await settle();
  expect(await open('network-only')).toBe(2);
});

test('the parts of a page are answered from its one question, while it is under way and afterwards', async () => {
  const { loadFleet, open, openHarbours, asked } = reader();
  loadFleet();
  expect(await open()).toBe(1);
  expect(await openHarbours()).toBe(10);
  expect(asked).toEqual(['Fleet']);
});

test('a part that is read again asks the service for itself, and gets no second answer from the page’s', async () => {
  const { loadFleet, open, wait, asked } = reader();
  loadFleet();
  await open();
  expect(await open('network-only')).toBe(2);
  wait(askedHolds);
  expect(await open()).toBe(3);
  expect(asked).toEqual(['Fleet', 'Ships', 'Ships']);
});

test('where the page’s question fails as a whole, each part asks for itself', async () => {
  const { loadFleet, refused, open, openHarbours, asked } = reader();
  refused.add('Fleet');
  refused.add('Harbours');
  loadFleet();
  expect([await open(), await openHarbours()]).toEqual([1, null]);
  expect(asked.toSorted()).toEqual(['Fleet', 'Harbours', 'Harbours', 'Ships']);
});

test('what is opened after the reader’s own change is not answered from a page’s question before it', async () => {
  const { loadFleet, settle, change, openHarbours, asked } = reader();
  loadFleet();
  await settle();
  await change();
  expect(await openHarbours()).toBe(20);
  expect(asked).toEqual(['Fleet', 'Sail', 'Harbours']);
});

test('a part that stays open is read again by itself once the reader has changed something, as any query is', async () => {
  const { loadFleet, watch, settle, change, asked } = reader();
  loadFleet();
  const { shown, unsubscribe } = watch();
  await settle();
  await change();
  await settle();
  unsubscribe();
  expect([shown, asked]).toEqual([
    [1, 2],
    ['Fleet', 'Sail', 'Ships'],
  ]);
});

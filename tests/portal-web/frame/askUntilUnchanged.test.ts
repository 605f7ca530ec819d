import { expect, test } from '@jest/globals';
import { askUntilUnchanged, backgroundHeader } from '../../../portal-web/src/graphql/askUntilUnchanged.ts';

const fragmentFirst = 'fragment Name on Ship { name } query Ships { ships { ...Name } }';
const sail = 'mutation Sail { sail }';

/** A service that answers when it is told to, and what it was asked. */
function service() {
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const ask = askUntilUnchanged(async (_, options) => {
    const { query } = JSON.parse(options?.body as string) as { readonly query: string };
    asked.push(query === sail ? 'sail' : 'ships');
    const number = asked.length;
    await new Promise<void>((resolve) => answers.push(resolve));
    return Response.json({ data: number });
  });
  const send = async (query: string, headers: Record<string, string> = {}) => {
    const response = await ask('/graphql', { headers, body: JSON.stringify({ query }) });
    return ((await response.json()) as { readonly data: number }).data;
  };
  return { asked, send, answer: (number: number) => answers[number]?.() };
}

const settle = () => new Promise((resolve) => setTimeout(resolve));

test('a query that a change overtakes is asked again, and one that none overtakes is not', async () => {
  const { asked, send, answer } = service();
  const ships = send(fragmentFirst);
  const change = send(sail);
  answer(1);
  await change;
  answer(0);
  await settle();
  expect(asked).toEqual(['ships', 'sail', 'ships']);
  answer(2);
  expect(await ships).toBe(3);
});

test('a change in the background changes nothing that the reader sees', async () => {
  const { asked, send, answer } = service();
  const ships = send(fragmentFirst);
  const change = send(sail, { [backgroundHeader]: '1' });
  answer(1);
  await change;
  answer(0);
  expect([await ships, asked.length]).toEqual([1, 2]);
});

test('an answer without a body stays one', async () => {
  const ask = askUntilUnchanged(() => Promise.resolve(new Response(null, { status: 204 })));
  expect((await ask('/graphql', { body: JSON.stringify({ query: fragmentFirst }) })).status).toBe(204);
});

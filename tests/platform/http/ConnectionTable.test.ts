import { expect, test } from '@jest/globals';
import { ConnectionTable, type Entry } from '../../../server/platform/http/ConnectionTable.ts';

const roomy = { all: 100, perAddress: 100, arriving: 100, arrivingPerAddress: 100 };

/** A table, and the names of the connections that it has closed. */
function tableOf(bounds: Partial<typeof roomy>) {
  const closed: string[] = [];
  let displaced = 0;
  const table = new ConnectionTable({ ...roomy, ...bounds }, () => (displaced += 1));
  const add = (name: string, address: string | null = name): Entry => table.add(address, () => closed.push(name));
  return { table, add, closed, displaced: () => displaced };
}

test('an address that opens more handshakes than it may have loses its own oldest', () => {
  const { table, add, closed, displaced } = tableOf({ arrivingPerAddress: 2 });
  add('neighbour');
  for (const name of ['first', 'second', 'third']) add(name, 'flooder');
  expect(closed).toEqual(['first']);
  expect(displaced()).toBe(1);
  expect(table.size).toBe(3);
});

test('handshakes from many addresses push out the oldest of all, and a finished one is safe from them', () => {
  const { table, add, closed } = tableOf({ arriving: 3 });
  table.move(add('client'), 'waiting');
  for (let at = 0; at < 50; at += 1) add(`stranger ${at}`);
  expect(closed).toHaveLength(47);
  expect(closed).not.toContain('client');
  expect(closed[0]).toBe('stranger 0');
});

test('where there is no room left, who has kept the service waiting longest goes, and who is being served stays', () => {
  const { table, add, closed } = tableOf({ all: 4 });
  const [served, long, short, handshake] = [add('served'), add('long'), add('short'), add('handshake')];
  table.move(served, 'working');
  table.move(short, 'waiting');
  table.move(long, 'waiting');
  // It has sent a request since.
  table.move(short, 'working');
  table.move(short, 'waiting');
  expect(handshake.phase).toBe('arriving');
  for (const name of ['a', 'b', 'c']) table.move(add(name), 'working');
  expect(closed).toEqual(['handshake', 'long', 'short']);
  expect(table.size).toBe(4);
});

test('a newcomer is let in even where everybody is being served: the one that takes longest goes', () => {
  const { table, add, closed } = tableOf({ all: 2 });
  for (const name of ['slow reader', 'client']) table.move(add(name), 'working');
  add('newcomer');
  expect(closed).toEqual(['slow reader']);
});

test('one address has a share of the connections, however quiet the others are', () => {
  const { table, add, closed } = tableOf({ perAddress: 3 });
  table.move(add('neighbour'), 'waiting');
  for (const name of ['a', 'b', 'c', 'd']) table.move(add(name, 'flooder'), 'waiting');
  expect(closed).toEqual(['a']);
});

test('a proxy’s connections count for no address, only for all', () => {
  const { table, add, closed } = tableOf({ all: 5, perAddress: 1, arrivingPerAddress: 1 });
  for (const name of ['a', 'b', 'c', 'd', 'e']) add(name, null);
  expect(closed).toEqual([]);
  add('f', null);
  expect(closed).toEqual(['a']);
  expect(table.size).toBe(5);
});

test('a balancer’s connection counts for nobody until it is known for whom it is, and then displaces one of the same address', () => {
  const { table, add, closed } = tableOf({ arrivingPerAddress: 2 });
  const [, , third, gone] = [add('first', 'caller'), add('second', 'caller'), add('third', null), add('gone', null)];
  expect(closed).toEqual([]);
  table.claim(third, 'caller');
  expect(closed).toEqual(['first']);
  table.remove(gone);
  table.claim(gone, 'caller');
  add('fourth', 'caller');
  expect(closed).toEqual(['first', 'second']);
  expect(table.size).toBe(2);
});

test('a connection that has gone makes room, and moving it afterwards brings nothing back', () => {
  const { table, add, closed } = tableOf({ all: 1 });
  const gone = add('gone');
  table.remove(gone);
  table.move(gone, 'working');
  expect(table.size).toBe(0);
  add('next');
  expect(closed).toEqual([]);
});

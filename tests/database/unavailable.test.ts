import { createServer } from 'node:net';
import { once } from 'node:events';
import pg from 'pg';
import { expect, test } from '@jest/globals';
import { unavailable } from '../../server/database/unavailable.ts';

test('a database that lets somebody connect but never answers is out of reach for the moment', async () => {
  const silent = createServer().listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const { port } = silent.address() as { port: number };
  const client = new pg.Client({ host: '127.0.0.1', port, user: 'a', database: 'a', connectionTimeoutMillis: 20 });
  try {
    const error = await client.connect().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(unavailable(error)).toMatchObject({ code: 'temporarily_unavailable' });
  } finally {
    silent.close();
  }
});

test('a connection that has lost its place is one that broke, and any other fault stays as it is', () => {
  // The library's words, when something arrives that no statement waits for.
  expect(unavailable(new Error('Received unexpected dataRow message from backend.'))).toMatchObject({ code: 'temporarily_unavailable' });
  const fault = new Error('Something else.');
  expect(unavailable(fault)).toBe(fault);
});

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

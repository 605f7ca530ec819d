import { expect, test } from '@jest/globals';
import { createOrm } from '../../server/database/orm.ts';
import { sql } from '../../server/domain/shared/sql.ts';
import { createTestDatabase } from '../support/run/testDatabase.ts';

test('a connection that is lost inside a transaction gives its place in the pool back', async () => {
  const database = await createTestDatabase();
  const orm = await createOrm(database.url, { poolMax: 1 });
  try {
    for (let round = 0; round < 3; round += 1) {
      const lost = orm.em.fork().transactional((tx) => sql(tx, 'select pg_terminate_backend(pg_backend_pid())'));
      await expect(lost).rejects.toThrow();
      await expect(sql(orm.em.fork(), 'select 1 as one')).resolves.toEqual([{ one: 1 }]);
    }
  } finally {
    await orm.close(true);
    await database.drop();
  }
});

test('a transaction that is refused is rolled back and its connection used again', async () => {
  const database = await createTestDatabase();
  const orm = await createOrm(database.url, { poolMax: 1 });
  try {
    const refused = orm.em.fork().transactional(async (tx) => {
      await sql(tx, "insert into terms_version (version, title, markdown, published_at) values (7, 'x', 'x', $1)", [new Date(0)]);
      await sql(tx, 'select 1 / 0');
    });
    await expect(refused).rejects.toThrow();
    expect(await sql(orm.em.fork(), 'select version from terms_version where version = 7')).toEqual([]);
  } finally {
    await orm.close(true);
    await database.drop();
  }
});

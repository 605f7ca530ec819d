import type { EntityName } from '@mikro-orm/postgresql';
import { expect, test } from '@jest/globals';
import { createOrm, entities } from '../../server/database/orm.ts';
import { migrateDatabase } from '../../server/database/migrate.ts';
import { createTestDatabase } from '../support/testDatabase.ts';

test('every mapped entity reads all of its columns from the migrated database', async () => {
  const database = await createTestDatabase();
  const orm = await createOrm(database.url);
  try {
    for (const entity of entities) {
      const rows = await orm.em.fork().find(entity as EntityName<object>, {}, { limit: 1 });
      expect(Array.isArray(rows)).toBe(true);
    }
  } finally {
    await orm.close(true);
    await database.drop();
  }
});

test('two processes that migrate at the same time do not disturb each other', async () => {
  const database = await createTestDatabase();
  try {
    await Promise.all([migrateDatabase(database.url), migrateDatabase(database.url)]);
  } finally {
    await database.drop();
  }
});

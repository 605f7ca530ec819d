import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { measureIngest } from '../../../bench/ingestLoad.ts';
import { createTestDatabase, type TestDatabase } from '../../support/run/testDatabase.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(() => database.drop());

test('batches that arrive together for the same feeds all succeed, and every share stands at its latest revision', async () => {
  const { failures, faults } = await measureIngest({
    databaseUrl: database.url,
    orders: 2_000,
    clients: 40,
    batch: 100,
    parallel: 4,
    subscribed: 3,
  });
  expect({ failures, faults }).toEqual({ failures: [], faults: [] });
});

import type { Fixtures } from '../world/Fixtures.ts';

/** Locks a table against everybody, so that requests that read it stay open until the test calls the function that this returns. */
export async function holdTable(sql: Fixtures['sql'], table: string): Promise<() => Promise<void>> {
  const release = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const lock = sql.begin(async (tx) => {
    await tx`lock table ${tx(table)} in access exclusive mode`;
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  return async () => {
    release.resolve();
    await lock;
  };
}

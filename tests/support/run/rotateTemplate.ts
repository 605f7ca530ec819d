import { keyPurposes, loadKeyRing } from '../../../server/database/keyRing.ts';
import { createOrm } from '../../../server/database/orm.ts';
import { rewrapKeys } from '../../../server/database/rewrapKeys.ts';
import { rotateKeyRing } from '../../../server/database/rotateKeyRing.ts';
import { formerMasterKeys, masterKeys } from '../world/testKeys.ts';

const day = 24 * 60 * 60 * 1000;

/**
 * With `TEST_ROTATED=true`, every test's database begins as one whose key ring was rotated and whose master key was changed, both long ago:
 * what the service makes today has other keys than what it made then.
 */
export async function rotateTemplate(databaseUrl: string): Promise<void> {
  const actor = { type: 'system', name: 'terminal' } as const;
  const now = new Date(Date.now() - 30 * day);
  await loadKeyRing({ databaseUrl, masterKeys: formerMasterKeys, clock: { now: () => now } });
  const orm = await createOrm(databaseUrl, { poolMax: 1 });
  try {
    for (const purpose of keyPurposes) await rotateKeyRing(orm.em.fork(), { masterKeys: formerMasterKeys, purpose, actor, now });
    await rewrapKeys(orm.em.fork(), { keys: { ...masterKeys, previous: formerMasterKeys.current }, actor, now });
    // What was recorded on the way belongs to no test. The trail's partitions refuse this of everybody whose triggers fire.
    await orm.em
      .fork()
      .getConnection()
      .execute('begin; set local session_replication_role = replica; truncate audit_entry restart identity; commit');
  } finally {
    await orm.close(true);
  }
}

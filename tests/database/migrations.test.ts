import type { EntityName } from '@mikro-orm/postgresql';
import { expect, test } from '@jest/globals';
import { Logger, runMigrations } from 'graphile-worker';
import { createOrm, entities } from '../../server/database/orm.ts';
import { migrateDatabase } from '../../server/database/migrate.ts';
import { createTestDatabase } from '../support/run/testDatabase.ts';

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
  const database = await createTestDatabase({ migrated: false });
  const orm = await createOrm(database.url);
  try {
    await Promise.all([migrateDatabase(database.url), migrateDatabase(database.url)]);
    expect(await orm.migrator.getPending()).toEqual([]);
    const executed = (await orm.migrator.getExecuted()).map(({ name }) => name);
    expect(executed.length).toBeGreaterThan(1);
    expect(new Set(executed).size).toBe(executed.length);
  } finally {
    await orm.close(true);
    await database.drop();
  }
});

test('a new installation dates its first terms and its closed gate from its own beginning', async () => {
  const database = await createTestDatabase({ migrated: false });
  const orm = await createOrm(database.url);
  try {
    await migrateDatabase(database.url);
    const dates = await orm.em
      .fork()
      .getConnection()
      .execute(
        "select published_at > now() - interval '10 minutes' as new from terms_version union all select changed_at > now() - interval '10 minutes' from service_gate",
      );
    expect(dates).toEqual([{ new: true }, { new: true }]);
  } finally {
    await orm.close(true);
    await database.drop();
  }
});

const integrationOf = (operatorId: string) => `
  insert into integration (id, operator_id, slug, status, profile_version, created_at) values ('int_1', '${operatorId}', 'one', 'sandbox', 1, now());
  insert into profile_version (integration_id, version, public_name, public_description, purpose, legal_operator_name, country, support_email,
    website_url, privacy_policy_url, terms_of_service_url, order_linking_url, requested_scopes, polling_cadence_minutes, webhook_model,
    terms_version, attribution_accepted_at, created_at, created_by)
  values ('int_1', 1, 'n', 'd', 'p', 'l', 'DE', 's', 'w', 'p', 't', 'o', '{}', 15, 'none', 1, now(), now(), '${operatorId}');`;

test('what owners accepted before is told by their profiles’ versions, a deleted account’s addresses are gone, and the trail has one name for each thing', async () => {
  const database = await createTestDatabase({ migrated: false });
  const orm = await createOrm(database.url);
  try {
    await runMigrations({ connectionString: database.url, logger: new Logger(() => () => {}) });
    await orm.migrator.up({ to: 'Migration20261121181500_administrationLists' });
    const { em } = orm;
    await em.execute(`
      insert into operator (id, email, email_key, user_handle, created_at, deleted_at)
      values ('opr_stays', 'a@example.com', 'a@example.com', 'a', now(), null), ('opr_gone', null, null, null, now(), now());
      insert into terms_acceptance (operator_id, terms_version, accepted_at, ip, non_commercial, attribution)
      select id, 1, timestamptz '2026-11-21T10:00:00Z', '192.0.2.1', true, true from operator;
      insert into audit_entry (occurred_at, actor_type, actor_id, operator_id, ip, action, subject_type, subject_id)
      select now(), 'operator', id, id, '192.0.2.1', 'session.signedOut', 'session', 'ses_1' from operator;
      insert into audit_entry (occurred_at, actor_type, action, subject_type, subject_id, details)
      values (now(), 'operator', 'submission.submitted', 'submission', 'sub_1', '{"profileVersion": 3, "round": 2}');
      ${integrationOf('opr_stays')}`);
    await orm.migrator.up();
    expect(await em.execute("select details from audit_entry where action = 'submission.submitted'")).toEqual([
      { details: { profileVersion: 3, submissionNumber: 2 } },
    ]);
    expect(await em.execute("select version, non_commercial_accepted_at = '2026-11-21T10:00:00Z' as known from profile_version")).toEqual([
      { version: 1, known: true },
    ]);
    expect(await em.execute('select operator_id as id, host(ip) as ip from terms_acceptance order by id')).toEqual([
      { id: 'opr_gone', ip: null },
      { id: 'opr_stays', ip: '192.0.2.1' },
    ]);
    expect(
      await em.execute('select actor_id as id, host(ip) as ip, action from audit_entry where actor_id is not null order by 1'),
    ).toEqual([
      { id: 'opr_gone', ip: null, action: 'session.signed_out' },
      { id: 'opr_stays', ip: '192.0.2.1', action: 'session.signed_out' },
    ]);
    await expect(em.execute("update audit_entry set action = 'session.opened'")).rejects.toThrow('append-only');
  } finally {
    await orm.close(true);
    await database.drop();
  }
});

test('keys that a client had certified more than once stay as they are, and are never certified again', async () => {
  const database = await createTestDatabase({ migrated: false });
  const orm = await createOrm(database.url);
  try {
    await runMigrations({ connectionString: database.url, logger: new Logger(() => () => {}) });
    await orm.migrator.up({ to: 'Migration20261121200000_admission' });
    const { em } = orm;
    const insert = (id: string, key: string, status: string) => `
      insert into certificate (id, client_no, source, status, public_key_der, key_type, requested_at, requested_by, revoked_at)
      select '${id}', no, 'csr', '${status}', '${key}', 'EC P-256', now(), 'opr_1', ${status === 'revoked' ? 'now()' : 'null'} from client;`;
    await em.execute(`
      insert into operator (id, email, email_key, user_handle, created_at) values ('opr_1', 'a@example.com', 'a@example.com', 'a', now());
      ${integrationOf('opr_1')}
      insert into client (id, integration_id, environment, scopes, created_at) values ('cli_1', 'int_1', 'sandbox', '{}', now());
      ${insert('crt_1', 'one', 'pending')} ${insert('crt_2', 'one', 'revoked')} ${insert('crt_3', 'one', 'revoked')}
      ${insert('crt_4', 'two', 'failed')} ${insert('crt_5', 'two', 'failed')}`);
    await orm.migrator.up();
    expect(await em.execute('select id from certificate where repeats_key order by id')).toEqual([{ id: 'crt_1' }, { id: 'crt_3' }]);
    await expect(em.execute(insert('crt_6', 'one', 'pending'))).rejects.toThrow('certificate_certified_key');
    await em.execute(insert('crt_7', 'two', 'pending'));
    await expect(em.execute(insert('crt_8', 'two', 'pending'))).rejects.toThrow('certificate_certified_key');
  } finally {
    await orm.close(true);
    await database.drop();
  }
});

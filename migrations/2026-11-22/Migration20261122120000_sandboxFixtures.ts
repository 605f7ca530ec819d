import { Migration } from '@mikro-orm/migrations';

/**
 * A feed stores when its epoch last rose, because every reported revision rose at that time. The revocation that comes with the test data
 * is marked, so that it can be distinguished from those that somebody made. Existing ones are recognised by their time, which is when
 * their corpus became ready.
 */
export class Migration20261122120000_sandboxFixtures extends Migration {
  override up(): void {
    this.addSql(`
      alter table client_feed add column epoch_at timestamptz;

      alter table revocation add column fixture boolean not null default false;
      update revocation r set fixture = true from sandbox_corpus s
       where s.client_no = r.client_no and r.subject_type = 'resource' and r.revoked_at = s.ready_at;
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * A feed knows since when it has its epoch, for every reported revision rose then. The revocation that comes with the test data is told
 * from those that somebody made: it was made in the moment in which its corpus became ready.
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

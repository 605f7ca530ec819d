import { Migration } from '@mikro-orm/migrations';

/** The lists of endpoints for administrators: those that fail, and those that administrators have paused. */
export class Migration20261123004700_administeredEndpoints extends Migration {
  override up(): void {
    this.addSql(`
      drop index webhook_endpoint_failing;
      create index webhook_endpoint_failing on webhook_endpoint (failing_since, no) where failing_since is not null and status = 'active';
      create index webhook_endpoint_paused on webhook_endpoint (status_changed_at, no) where status = 'paused' and paused_by = 'administrator';
    `);
  }
}

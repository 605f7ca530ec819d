import { Migration } from '@mikro-orm/migrations';

/** Clients may renew their certificates by EST, once their owners have switched it on, within a quota of its own. */
export class Migration20261122202000_renewalByEst extends Migration {
  override up(): void {
    this.addSql(`
      alter table client add renewal_by_est boolean not null default false;

      alter table certificate drop constraint certificate_source_check;
      alter table certificate add constraint certificate_source_check check (source in ('csr', 'p12', 'est'));

      alter table client_quota add est_start timestamptz not null default '-infinity', add est_count int not null default 0;
      alter table quota_override drop constraint quota_override_quota_check;
      alter table quota_override add constraint quota_override_quota_check check (quota in ('requests_per_hour', 'requests_per_minute',
        'concurrent_requests', 'statistics_requests_per_hour', 'link_code_redemptions_per_hour',
        'link_code_redemptions_per_ip_per_15_minutes', 'est_requests_per_hour', 'polling_interval_seconds'));
    `);
  }
}

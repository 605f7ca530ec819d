import { Migration } from '@mikro-orm/migrations';

/**
 * Indexes of the administrators' list of certificates. Each of their ranges, for one status, source and authority, is in the order of the
 * list; a page merges the ranges that its filters name. Expressions stand where a column would do, because only then does every list have
 * exactly one index that fits: PostgreSQL takes statuses, sources and authorities for independent of time, and would otherwise filter the
 * rows of another index, among which there may be none for long stretches.
 */
export class Migration20261122204010_certificateList extends Migration {
  override up(): void {
    this.addSql(`
      create index certificate_listed on certificate (status, source, coalesce(issuer_id, ''), requested_at desc, id desc);
      create index certificate_listed_end on certificate (source, coalesce(issuer_id, ''), coalesce(usable_until, 'infinity'), id)
        where status = 'issued';
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * Indexes by which administrators search for parts of names, slugs and addresses, and for serial numbers. `pg_trgm` is a trusted extension
 * that comes with PostgreSQL.
 */
export class Migration20261122153000_search extends Migration {
  override up(): void {
    this.addSql(`
      create extension if not exists pg_trgm;
      create index integration_slug_words on integration using gin (slug gin_trgm_ops);
      create index profile_version_name_words on profile_version using gin (lower(public_name) gin_trgm_ops);
      create index operator_address_words on operator using gin (email_key gin_trgm_ops);
      create index service_token_words on service_token using gin (lower(name) gin_trgm_ops);
      create index certificate_serial on certificate (serial);
    `);
  }
}

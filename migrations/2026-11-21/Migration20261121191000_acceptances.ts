import { Migration } from '@mikro-orm/migrations';

/** A profile version stores when non-commercial use was accepted. Deleting an account removes the source address of its acceptances. */
export class Migration20261121191000_acceptances extends Migration {
  override up(): void {
    this.addSql(`
      alter table profile_version add column non_commercial_accepted_at timestamptz;
      -- Accepting the terms includes this statement, so for existing versions the time of that acceptance counts.
      update profile_version v set non_commercial_accepted_at = a.accepted_at
        from integration i, terms_acceptance a
       where i.id = v.integration_id and a.operator_id = i.operator_id and a.terms_version = v.terms_version;

      alter table terms_acceptance alter column ip drop not null;
      update terms_acceptance a set ip = null from operator o where o.id = a.operator_id and o.deleted_at is not null;
    `);
  }
}

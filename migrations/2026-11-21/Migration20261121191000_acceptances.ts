import { Migration } from '@mikro-orm/migrations';

/** A profile version says when non-commercial use was accepted; the address of an acceptance goes with the account. */
export class Migration20261121191000_acceptances extends Migration {
  override up(): void {
    this.addSql(`
      alter table profile_version add column non_commercial_accepted_at timestamptz;
      -- Each acceptance of terms holds the statement, so what is known of the versions so far is its moment.
      update profile_version v set non_commercial_accepted_at = a.accepted_at
        from integration i, terms_acceptance a
       where i.id = v.integration_id and a.operator_id = i.operator_id and a.terms_version = v.terms_version;

      alter table terms_acceptance alter column ip drop not null;
      update terms_acceptance a set ip = null from operator o where o.id = a.operator_id and o.deleted_at is not null;
    `);
  }
}

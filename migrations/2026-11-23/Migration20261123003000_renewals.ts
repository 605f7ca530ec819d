import { Migration } from '@mikro-orm/migrations';

/** Which certificate a renewal was requested with. For earlier renewals, the audit trail says so. */
export class Migration20261123003000_renewals extends Migration {
  override up(): void {
    this.addSql(`
      alter table certificate add column renews text references certificate (id);
      update certificate x set renews = f.id
        from audit_entry a join certificate f on f.id = a.details ->> 'renews'
       where x.source = 'est' and a.subject_id = x.id and a.action = 'certificate.requested' and f.client_no = x.client_no;
      create index certificate_renews on certificate (renews) where renews is not null;
    `);
  }
}

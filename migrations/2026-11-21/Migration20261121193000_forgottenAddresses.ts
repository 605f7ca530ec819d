import { Migration } from '@mikro-orm/migrations';

/** The audit trail stays append-only, with one exception: when an account is deleted, its lines lose their source address. */
export class Migration20261121193000_forgottenAddresses extends Migration {
  override up(): void {
    this.addSql(`
      create function refuse_all_but_forgetting_ip() returns trigger language plpgsql as $refuse$
      begin
        if new.ip is null and to_jsonb(new) - 'ip' = to_jsonb(old) - 'ip' then
          return new;
        end if;
        raise exception '% is append-only', tg_table_name;
      end
      $refuse$;
      drop trigger audit_entry_append_only on audit_entry;
      create trigger audit_entry_append_only before delete or truncate on audit_entry for each statement execute function refuse_change();
      create trigger audit_entry_only_forgets before update on audit_entry for each row execute function refuse_all_but_forgetting_ip();

      update audit_entry e set ip = null from operator o
       where o.deleted_at is not null and e.ip is not null
         and (e.actor_id = o.id or (e.operator_id = o.id and e.actor_type in ('anonymous', 'client')));
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Deliveries are forgotten in the order of their numbers, so nothing has to be indexed for it. */
export class Migration20261123001800_webhookRetention extends Migration {
  override up(): void {
    this.addSql(`
      -- It cost a write for each change of a delivery, and was chosen for lists that it does not serve.
      drop index webhook_delivery_age;
      alter table webhook_replay drop constraint webhook_replay_endpoint_no_fkey,
        add foreign key (endpoint_no) references webhook_endpoint on delete cascade;
    `);
  }
}

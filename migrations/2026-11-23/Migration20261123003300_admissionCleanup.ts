import { Migration } from '@mikro-orm/migrations';

/** Removes the function that admitted requests two releases ago, and the type of the one before it. No process calls them any more. */
export class Migration20261123003300_admissionCleanup extends Migration {
  override up(): void {
    this.addSql(`
      drop function admit_v2(text, text, text, text, text, timestamptz, timestamptz[], int, int, int, int);
      drop type admission_v1;
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/**
 * The two parts of admission that are functions: one filters the places that are still held, and one counts the attempts of a
 * redemption's source address. `admit_v2` stays for processes of the previous release; nothing calls the earlier functions any more.
 */
export class Migration20261121200000_admission extends Migration {
  override up(): void {
    this.addSql(`
      create function live_leases(p_leases timestamptz[], p_finished timestamptz[], p_now timestamptz) returns timestamptz[] language plpgsql immutable as $live$
      begin
        return array(select l from unnest(p_leases) l where l > p_now and l <> all (p_finished));
      end
      $live$;

      create function take_from_redeem_source(p_source text, p_now timestamptz, p_window_floor timestamptz, p_limit int,
        out source_start timestamptz, out source_count int) language plpgsql volatile as $take$
      begin
        insert into redeem_source as s (source, window_start, count) values (p_source, p_now, 1)
            on conflict (source) do update set
               window_start = case when s.window_start > p_window_floor then s.window_start else p_now end,
               count = case when s.window_start > p_window_floor then s.count + 1 else 1 end
             where s.window_start <= p_window_floor or s.count < p_limit
         returning s.window_start, s.count into source_start, source_count;
        -- Seen as free, and taken by another client meanwhile: what this client has taken is undone with the statement.
        if not found then
          raise exception 'the last attempt of this source was taken meanwhile' using errcode = 'OI001';
        end if;
      end
      $take$;

      drop function admit_v1;
      drop function release_leases_v1;
    `);
  }
}

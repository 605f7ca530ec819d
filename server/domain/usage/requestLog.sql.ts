/**
 * A page of a client's request log, newest first: an index range for each class of status, merged. `beyond` is ($5, $6), the last
 * entry of the page before. Indexes: request_log_class, or request_log_route where one operation is asked for.
 */
export function requestLogSql({ route, beyond }: { route: boolean; beyond: boolean }): string {
  return `${columns} from (
    select r.* from unnest($2::int[]) c(class) cross join lateral (
      select * from request_log r
       where r.client_no = $1 and r.status / 100 = c.class ${route ? 'and r.route = $4' : 'and $4::text is null'}
         ${beyond ? 'and (r.occurred_at, r.request_id) < ($5::timestamptz, $6::text)' : 'and $5::timestamptz is null and $6::text is null'}
       order by r.occurred_at desc, r.request_id desc limit $3) r
     order by r.occurred_at desc, r.request_id desc limit $3) r
  left join certificate x on x.id = r.certificate_id
  order by r.occurred_at desc, r.request_id desc`;
}

const columns = `
  select r.request_id, (extract(epoch from r.occurred_at) * 1000)::float8 as occurred_at, r.method, r.route, r.status, r.problem_code, r.certificate_id, r.serial,
         r.duration_ms, (extract(epoch from x.not_before) * 1000)::float8 as not_before, (extract(epoch from x.not_after) * 1000)::float8 as not_after,
         (extract(epoch from x.usable_until) * 1000)::float8 as usable_until, (extract(epoch from x.revoked_at) * 1000)::float8 as revoked_at, x.revocation_reason`;

/** One entry, by primary key. */
export const requestByIdSql = `${columns} from request_log r left join certificate x on x.id = r.certificate_id where r.client_no = $1 and r.request_id = $2`;

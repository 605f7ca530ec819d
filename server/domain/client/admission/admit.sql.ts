/**
 * One round trip: authenticates the certificate and takes from the quotas (migration `admitV1`). Arrays travel as text, so that no
 * client library has to know their types; the lease stays text, because its microseconds are part of its name.
 */
export const admitSql = `
  select verdict, client_no, client_id, integration_id, environment, integration_status, profile_version, array_to_string(scopes, ' ') as scopes,
         production_data_enabled, certificate_id, to_char(certificate_usable_until at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as certificate_usable_until,
         head::float8 as head, epoch, requests_per_hour, requests_per_minute, concurrent_requests, statistics_per_hour, redeem_per_hour, redeem_per_source,
         minute_left, minute_reset, class_left, class_reset, source_left, source_reset, retry_after, array_to_string(violated, ' ') as violated,
         lease::text as lease, overrides::text as overrides
    from admit_v1($1::text, $2::text, $3::text, $4::text, $5::text, $6::text::timestamptz, $7::text::timestamptz[])`;

/** Gives finished leases back where no further admission of the client did. */
export const releaseLeasesSql = `select release_leases_v2($1::text::int[], $2::text::timestamptz[])`;

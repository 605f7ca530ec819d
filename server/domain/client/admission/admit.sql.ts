/**
 * One round trip: authenticates the certificate and takes from the quotas (migration `admitV2`). Arrays travel as text, so that no
 * client library has to know their types; the lease stays text, because its microseconds are part of its name.
 */
export const admitSql = `
  select verdict, client_no, client_id, integration_id, environment, integration_status, profile_version, array_to_string(scopes, ' ') as scopes,
         production_data_enabled, certificate_id, certificate_usable_until, head::float8 as head, epoch, overrides,
         minute_used, minute_reset, class_used, class_reset, source_used, source_reset, lease::text as lease
    from admit_v2($1::text, $2::text, $3::text, $4::text, $5::text, $6::text::timestamptz, $7::text::timestamptz[], $8::int, $9::int, $10::int, $11::int)`;

/** Gives finished leases back where no further admission of the client did. */
export const releaseLeasesSql = `select release_leases_v2($1::text::int[], $2::text::timestamptz[])`;

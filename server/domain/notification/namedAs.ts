/**
 * SQL: the profile `v` of the integration `i` whose name a message with these details gives: that of the submission that it is about, as the
 * submission's page has it, or else the present one.
 */
export const namedAs = (details: string): string => `join profile_version v on v.integration_id = i.id
   and v.version = coalesce((select profile_version from review_submission where id = ${details} ->> 'submissionId' and integration_id = i.id), i.profile_version)`;

-- The columns that the writer of a version knows. A release before this one does not say so: it knows those that were there before.
alter table profile_version add column known_columns text[] not null default array[
  'integration_id', 'version', 'public_name', 'public_description', 'purpose', 'legal_operator_name', 'country', 'support_email', 'website_url',
  'privacy_policy_url', 'terms_of_service_url', 'order_linking_url', 'donation_url', 'logo_id', 'requested_scopes', 'polling_cadence_minutes',
  'webhook_model', 'minor_revision', 'terms_version', 'attribution_accepted_at', 'non_commercial_accepted_at', 'created_at', 'created_by',
  'known_columns'];

-- While two releases run side by side, a revision by the earlier one keeps what only the later one knows.
create function keep_unknown_columns() returns trigger language plpgsql as $$
declare
  unknown jsonb;
begin
  select jsonb_object_agg(c.key, c.value) into unknown
    from profile_version p cross join jsonb_each(to_jsonb(p)) c
   where p.integration_id = new.integration_id and p.version = new.version - 1 and c.key <> all (new.known_columns);
  return case when unknown is null then new else jsonb_populate_record(new, unknown) end;
end
$$;
create trigger profile_version_keeps_unknown before insert on profile_version for each row execute function keep_unknown_columns();

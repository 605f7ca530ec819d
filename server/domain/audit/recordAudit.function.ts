/** Writes lines of the audit trail that have one cause. Shorter arrays count as filled up with null. */
export const recordAudit = `
create or replace function record_audit(p_at timestamptz, p_actor_type text, p_actor_id text, p_request_id text, p_ip inet, p_actions text[], p_subject_types text[],
  p_subject_ids text[], p_operator_ids text[], p_integration_ids text[], p_details json[]) returns void language plpgsql volatile as $$
begin
  insert into audit_entry (occurred_at, actor_type, actor_id, request_id, ip, action, subject_type, subject_id, operator_id, integration_id, details)
  select p_at, p_actor_type, p_actor_id, left(p_request_id, 100), p_ip, u.action, u.subject_type, u.subject_id, u.operator_id, u.integration_id, coalesce(u.details, '{}')
    from unnest(p_actions, p_subject_types, p_subject_ids, p_operator_ids, p_integration_ids, p_details)
           u(action, subject_type, subject_id, operator_id, integration_id, details);
end
$$;`;

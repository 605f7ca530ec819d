/** What sharing has to know about the client `k` of the integration `i`, in `sharingClientFrom`. */
export const sharingClientColumns = `
       k.number, k.id, k.environment, k.integration_id as "integrationId", i.operator_id as "operatorId", i.status as "integrationStatus",
       p.version as "profileVersion", k.scopes,
       array(select c.scope from unnest(k.scopes) c(scope) where c.scope = any (p.requested_scopes)) as "grantableScopes",
       i.production_gate_open and g.production_data_enabled as "productionDataEnabled"`;

export const sharingClientFrom = `
  client k join integration i on i.id = k.integration_id cross join service_gate g
  left join profile_version p on p.integration_id = i.id
   and p.version = case k.environment when 'production' then i.reviewed_profile_version else i.profile_version end`;

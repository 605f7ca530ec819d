import { words } from '../shared/functions/sqlText.ts';
import { overridableQuotas } from './quotas.ts';

/** The quotas in the order in which `copy_overrides` keeps a client's overrides, and admission reads them. */
export const quotaOrder = `
create or replace function quota_order() returns text[] language sql immutable as $$
  select ${words(overridableQuotas)}
$$;`;

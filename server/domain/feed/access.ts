/** Why a client may not read what it asked for by id. */
export type Inaccessible =
  | { readonly state: 'unknown' }
  | { readonly state: 'revoked'; readonly revocationId: string; readonly deletionDeadlineAt: string }
  | { readonly state: 'not_consented' };

/** The columns that decide on access to a shared resource. */
export type AccessRow = { revocation_id: string | null; deletion_deadline_at: string | null; consented: boolean };

/** What stands against reading this row, or null. A revocation comes first: it is told whatever the scopes are. */
export function whyInaccessible(row: AccessRow | undefined): Inaccessible | null {
  if (!row) return { state: 'unknown' };
  if (row.revocation_id !== null && row.deletion_deadline_at !== null) {
    return { state: 'revoked', revocationId: row.revocation_id, deletionDeadlineAt: row.deletion_deadline_at };
  }
  return row.consented ? null : { state: 'not_consented' };
}

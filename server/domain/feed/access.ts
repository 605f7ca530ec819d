/** Why a client may not read the resource that it requested by ID. */
export type Inaccessible =
  | { readonly state: 'unknown' }
  | { readonly state: 'revoked'; readonly revocationId: string; readonly deletionDeadlineAt: string }
  | { readonly state: 'not_consented' };

/** The columns that decide about access to a shared resource. */
export type AccessRow = { revocation_id: string | null; deletion_deadline_at: string | null; consented: boolean };

/** The reason why this row cannot be read, or null. A revocation comes first, and is reported whatever the scopes are. */
export function whyInaccessible(row: AccessRow | undefined): Inaccessible | null {
  if (!row) return { state: 'unknown' };
  if (row.revocation_id !== null && row.deletion_deadline_at !== null) {
    return { state: 'revoked', revocationId: row.revocation_id, deletionDeadlineAt: row.deletion_deadline_at };
  }
  return row.consented ? null : { state: 'not_consented' };
}

/**
 * What grows as the service is used and is never removed by itself, by its table (docs/capacity.md, “What grows for ever”). Everything else is
 * removed after a time (`retention`), or is as large as the programme: so many rows for each account, integration or client.
 */
export const endless = [
  'shared_resource',
  'connection',
  'revocation',
  'tracked_resource',
  'tracked_change',
  'audit_entry',
  'certificate',
] as const;

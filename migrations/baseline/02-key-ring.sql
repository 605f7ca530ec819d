-- Random keys for sessions, links, look-ups and cursors, each wrapped under MASTER_KEY and bound to its purpose.

create table key_ring_entry (
  id text primary key,
  purpose text not null,
  wrapped bytea not null,
  created_at timestamptz not null,
  retired_at timestamptz
);
create unique index key_ring_entry_current on key_ring_entry (purpose) where retired_at is null;
create index key_ring_entry_retired on key_ring_entry (retired_at);

-- Tokens of the order-tracking service's tooling. Only their hashes are stored.

create table service_token (
  id text primary key,
  name text not null,
  environment text not null check (environment in ('sandbox', 'production')),
  token_hash bytea not null unique,
  permissions text[] not null,
  created_at timestamptz not null,
  created_by text references operator,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index service_token_created on service_token (created_at desc, id desc);
create index service_token_environment on service_token (environment, created_at desc, id desc);
create index service_token_good on service_token (expires_at, id) where revoked_at is null;
create index service_token_environment_good on service_token (environment, expires_at, id) where revoked_at is null;
create index service_token_words on service_token using gin (folded(name) gin_trgm_ops);

-- Operators with their passkeys and recovery codes, their sessions, one-time links, changes of address, and what limits attempts.

-- Administrators search for parts of addresses, names and slugs. The extension is a trusted one that comes with PostgreSQL.
create extension if not exists pg_trgm;

-- Names as they are compared in searches: composed (NFC) and in lower case, as `foldText` does it with what is searched for. A database's own
-- locale may know no letters but those of ASCII, so the server's collation with those of Unicode is named: its own from PostgreSQL 17 on, before
-- that ICU's, where it has that.
do $$
declare
  unicode text := coalesce(
    (select collname from pg_collation where collname in ('pg_c_utf8', 'und-x-icu') and collencoding in (-1, 6) order by collname limit 1), 'default');
begin
  execute format('create function folded(words text) returns text language sql immutable strict parallel safe return lower(normalize(words, nfc) collate pg_catalog.%I)', unicode);
end $$;

create table operator (
  id text primary key,
  -- A deleted account keeps only its ID, so that its address can register again.
  email text,
  email_key text unique,
  user_handle bytea unique,
  roles text[] not null default '{}',
  muted_notifications text[] not null default '{}',
  -- Whether single keys do something on pages, which disturbs those who dictate or press keys by accident.
  single_keys boolean not null default true,
  created_at timestamptz not null,
  -- No one can sign in to an account that an administrator has locked.
  locked_at timestamptz,
  lock_reason text,
  deleted_at timestamptz,
  check ((locked_at is null) = (lock_reason is null)),
  constraint operator_deleted_check check ((deleted_at is null) = (email is not null))
);
create index operator_created on operator (created_at desc, id desc);
create index operator_email on operator (email_key text_pattern_ops);
create index operator_address_words on operator using gin (email_key gin_trgm_ops);
create index operator_roles on operator using gin (roles) where roles <> '{}';

create table passkey (
  id text primary key,
  operator_id text not null references operator,
  name text not null,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null,
  device_type text not null check (device_type in ('singleDevice', 'multiDevice')),
  backed_up boolean not null,
  aaguid text not null,
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index passkey_operator on passkey (operator_id);

create table recovery_code (
  code_hmac bytea primary key,
  operator_id text not null references operator,
  created_at timestamptz not null,
  used_at timestamptz
);
create index recovery_code_operator on recovery_code (operator_id);

create table portal_session (
  id text primary key,
  kind text not null check (kind in ('enrolment', 'recovery', 'full')),
  operator_id text references operator,
  email text not null,
  -- The cookie's: each one replaces the one before, and a copy of a replaced one ends the session.
  generation int not null default 0,
  generation_confirmed_at timestamptz,
  rotated_at timestamptz not null,
  created_at timestamptz not null,
  last_used_at timestamptz not null,
  expires_at timestamptz not null,
  -- A fresh confirmation belongs to the cookie that came with its response. An older cookie of the same session is not confirmed.
  confirmed_until timestamptz,
  confirmed_generation int,
  ended_at timestamptz,
  end_reason text,
  ip inet not null,
  user_agent text not null,
  check (kind = 'enrolment' or operator_id is not null)
);
create index portal_session_operator on portal_session (operator_id) where ended_at is null;
create index portal_session_expiry on portal_session (expires_at);

-- Challenges prove themselves; only that one has been used is stored, until none can be answered any more.
create table used_challenge (
  challenge_hash bytea primary key,
  expires_at timestamptz not null
);
create index used_challenge_expiry on used_challenge (expires_at);

-- Two administrators give an account back whose passkeys and codes are gone. Its owner can object until it is due; then a link that is mailed
-- to the account's address enrols a passkey. The row is kept for good, after a deletion of the account too: a false proof may have led to that.
create table account_reset (
  id text primary key,
  operator_id text not null references operator,
  requested_by text not null references operator,
  requested_at timestamptz not null,
  reason text not null,
  -- How the administrator has made sure who asks. It is not in the audit trail, which the owner reads, and so does a person who is not the
  -- owner and has come in through the reset; and it may name people, which the trail must not.
  proof text not null,
  approved_by text references operator,
  approved_at timestamptz,
  due_at timestamptz,
  cancelled_at timestamptz,
  done_at timestamptz,
  check ((approved_by is null) = (approved_at is null) and (approved_at is null) = (due_at is null)),
  check (approved_by <> requested_by),
  check (operator_id <> requested_by and operator_id <> approved_by),
  check (due_at >= approved_at + interval '72 hours')
);
create unique index account_reset_open on account_reset (operator_id) where cancelled_at is null and done_at is null;
create index account_reset_due on account_reset (due_at) where cancelled_at is null and done_at is null;

create table email_change (
  id text primary key,
  operator_id text not null references operator,
  new_email text not null,
  new_email_key text not null,
  requested_at timestamptz not null,
  expires_at timestamptz not null,
  current_confirmed_at timestamptz,
  new_confirmed_at timestamptz,
  completed_at timestamptz,
  cancelled_at timestamptz
);
create unique index email_change_open on email_change (operator_id) where completed_at is null and cancelled_at is null;
create index email_change_expiry on email_change (expires_at);

create table verification_link (
  id text primary key,
  purpose text not null check (purpose in ('registration', 'email_change_current', 'email_change_new')),
  token_hash bytea not null unique,
  email text not null,
  email_key text not null,
  operator_id text references operator,
  email_change_id text references email_change on delete cascade,
  ip inet not null,
  -- Which requested it, so that confirming it gives the attempt back.
  network text,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  -- Of a registration: the browser that asked, in which the code in the mail works once, and the enrolment that was opened last.
  browser_hash bytea,
  code_tries int not null default 0,
  code_used_at timestamptz,
  session_id text
);
create index verification_link_browser on verification_link (browser_hash) where browser_hash is not null;
create index verification_link_address on verification_link (email_key, created_at);
create index verification_link_ip on verification_link (ip, created_at);
create index verification_link_expiry on verification_link (expires_at);
create index verification_link_email_change on verification_link (email_change_id) where email_change_id is not null;

-- How many attempts of each kind a source has made in its present window.
create table attempt_window (
  kind text not null,
  source text not null,
  window_start timestamptz not null,
  count int not null,
  primary key (kind, source)
) with (fillfactor = 40);
create index attempt_window_start on attempt_window (window_start);

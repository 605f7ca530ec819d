import { Migration } from '@mikro-orm/migrations';

/** Operators with their passkeys, sessions and one-time links; the key ring, the audit trail and mail. */
export class Migration20261121090000_accounts extends Migration {
  override up(): void {
    this.addSql(`
      create table operator (
        id text primary key,
        email text not null,
        email_key text not null unique,
        user_handle bytea not null unique,
        roles text[] not null default '{}',
        created_at timestamptz not null,
        deleted_at timestamptz
      );

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

      create table portal_session (
        id text primary key,
        kind text not null check (kind in ('enrolment', 'full')),
        operator_id text references operator,
        email text not null,
        generation int not null default 0,
        generation_confirmed_at timestamptz,
        rotated_at timestamptz not null,
        created_at timestamptz not null,
        last_used_at timestamptz not null,
        expires_at timestamptz not null,
        confirmed_until timestamptz,
        ended_at timestamptz,
        end_reason text,
        ip inet not null,
        user_agent text not null,
        check (kind = 'enrolment' or operator_id is not null)
      );
      create index portal_session_operator on portal_session (operator_id) where ended_at is null;
      create index portal_session_expiry on portal_session (expires_at);

      create table webauthn_challenge (
        challenge_hash bytea primary key,
        purpose text not null check (purpose in ('registration', 'sign_in', 'confirmation')),
        session_id text references portal_session on delete cascade,
        user_handle bytea,
        expires_at timestamptz not null
      );
      create index webauthn_challenge_session on webauthn_challenge (session_id);
      create index webauthn_challenge_expiry on webauthn_challenge (expires_at);

      create table verification_link (
        id text primary key,
        purpose text not null check (purpose in ('registration', 'email_change_current', 'email_change_new')),
        token_hash bytea not null unique,
        email text not null,
        email_key text not null,
        operator_id text references operator,
        ip inet not null,
        created_at timestamptz not null,
        expires_at timestamptz not null,
        consumed_at timestamptz
      );
      create index verification_link_address on verification_link (email_key, created_at);
      create index verification_link_ip on verification_link (ip, created_at);
      create index verification_link_expiry on verification_link (expires_at);

      create table recovery_code (
        code_hmac bytea primary key,
        operator_id text not null references operator,
        created_at timestamptz not null,
        used_at timestamptz
      );
      create index recovery_code_operator on recovery_code (operator_id);

      create table key_ring_entry (
        id text primary key,
        purpose text not null,
        wrapped bytea not null,
        created_at timestamptz not null,
        retired_at timestamptz
      );
      create unique index key_ring_entry_current on key_ring_entry (purpose) where retired_at is null;

      create table audit_entry (
        id bigint generated always as identity primary key,
        occurred_at timestamptz not null,
        actor_type text not null check (actor_type in ('anonymous', 'operator', 'service_token', 'system')),
        actor_id text,
        action text not null,
        subject_type text not null,
        subject_id text not null,
        operator_id text,
        integration_id text,
        request_id text,
        ip inet,
        details json not null default '{}'
      );
      create index audit_entry_operator on audit_entry (operator_id, id);
      create index audit_entry_integration on audit_entry (integration_id, id);
      create index audit_entry_subject on audit_entry (subject_type, subject_id, id);

      create function refuse_change() returns trigger language plpgsql as $refuse$
      begin
        raise exception '% is append-only', tg_table_name;
      end
      $refuse$;
      create trigger audit_entry_append_only before update or delete or truncate on audit_entry for each statement execute function refuse_change();

      create table mail (
        id text primary key,
        kind text not null,
        subject_id text not null,
        recipient text not null,
        created_at timestamptz not null,
        sent_at timestamptz,
        unique (kind, subject_id)
      );

      create table development_mail (
        id text primary key,
        recipient text not null,
        subject text not null,
        text text not null,
        html text not null,
        received_at timestamptz not null
      );
      create index development_mail_received on development_mail (received_at);
    `);
  }
}

import { Migration } from '@mikro-orm/migrations';

/** Account recovery and changes of address, mails, logos, reviews with their evidence, agreements, and columns for deadlines and lists. */
export class Migration20261121170000_portalProgramme extends Migration {
  override up(): void {
    this.addSql(`
      alter table portal_session drop constraint portal_session_kind_check;
      alter table portal_session drop constraint portal_session_check;
      alter table portal_session add constraint portal_session_kind_check check (kind in ('enrolment', 'recovery', 'full'));
      alter table portal_session add constraint portal_session_check check (kind = 'enrolment' or operator_id is not null);

      -- A deleted account keeps only its ID, so its address can register again.
      alter table operator alter column email drop not null, alter column email_key drop not null, alter column user_handle drop not null;
      alter table operator add constraint operator_deleted_check check ((deleted_at is null) = (email is not null));
      alter table operator add column muted_notifications text[] not null default '{}';
      create index operator_created on operator (created_at desc, id desc);
      create index operator_email on operator (email_key text_pattern_ops);
      create index operator_roles on operator using gin (roles) where roles <> '{}';

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
      alter table verification_link add column email_change_id text references email_change on delete cascade;
      create index verification_link_email_change on verification_link (email_change_id) where email_change_id is not null;

      create table attempt_window (
        kind text not null,
        source text not null,
        window_start timestamptz not null,
        count int not null,
        primary key (kind, source)
      ) with (fillfactor = 40);
      create index attempt_window_start on attempt_window (window_start);

      -- The address is read when the mail is sent. Only the farewell to a deleted account stores it until then.
      alter table mail alter column recipient drop not null;
      alter table mail add column operator_id text references operator;
      alter table mail add column integration_id text references integration;
      alter table mail add column details json not null default '{}';
      create index mail_created on mail (created_at);
      create index mail_recipient on mail (created_at) where recipient is not null;
      create index mail_operator on mail (operator_id, created_at) where operator_id is not null;

      create table logo (
        id text primary key,
        integration_id text not null references integration,
        source_format text not null check (source_format in ('png', 'jpeg', 'webp')),
        source_sha256 bytea not null,
        width int not null check (width between 256 and 2048),
        height int not null check (height between 256 and 2048),
        rendition_256 bytea not null,
        rendition_512 bytea not null,
        created_at timestamptz not null,
        created_by text not null references operator
      );
      create index logo_integration on logo (integration_id);
      alter table profile_version add column logo_id text references logo;
      create index profile_version_logo on profile_version (logo_id) where logo_id is not null;
      alter table profile_version add column minor_revision boolean not null default false;
      create index profile_version_minor on profile_version (created_at desc, integration_id desc, version desc) where minor_revision;

      alter table integration add column status_reason text;
      alter table integration add column status_changed_at timestamptz;
      alter table integration add column production_gate_reason text;
      alter table integration add column production_gate_changed_at timestamptz;
      create index integration_created on integration (created_at desc, id desc);
      create index integration_status on integration (status, created_at desc, id desc);
      create index integration_slug on integration (slug text_pattern_ops);
      create index integration_status_slug on integration (status, slug text_pattern_ops);

      create table business_model_report (
        id text primary key,
        operator_id text not null references operator,
        integration_id text not null references integration,
        description text not null,
        reported_at timestamptz not null
      );
      create index business_model_report_integration on business_model_report (integration_id, reported_at desc, id desc);

      create table commercial_agreement (
        id text primary key,
        integration_id text not null references integration,
        reference text not null,
        summary text not null,
        valid_from date not null,
        valid_until date,
        recorded_at timestamptz not null,
        recorded_by text not null references operator,
        withdrawn_at timestamptz,
        withdrawal_reason text,
        check (valid_until >= valid_from),
        check ((withdrawn_at is null) = (withdrawal_reason is null))
      );
      create index commercial_agreement_integration on commercial_agreement (integration_id, recorded_at desc, id desc);

      create table review_submission (
        id text primary key,
        integration_id text not null references integration,
        operator_id text not null references operator,
        round int not null,
        profile_version int not null,
        scopes text[] not null,
        terms_version int not null references terms_version,
        review_url text not null,
        statement json not null,
        status text not null check (status in ('submitted', 'rejected', 'approved', 'withdrawn')),
        submitted_at timestamptz not null,
        -- Whose turn it is, and since when; after the decision, the time of the decision.
        waiting_for text not null check (waiting_for in ('reviewer', 'operator')),
        waiting_since timestamptz not null,
        reviewer_id text references operator,
        taken_at timestamptz,
        decided_at timestamptz,
        decided_by text references operator,
        decision_notes text,
        unique (integration_id, round),
        foreign key (integration_id, profile_version) references profile_version (integration_id, version),
        check ((status = 'submitted') = (decided_at is null))
      );
      create unique index review_submission_open on review_submission (integration_id) where status = 'submitted';
      create index review_submission_status on review_submission (status, waiting_since, id);
      create index review_submission_reviewer on review_submission (reviewer_id, status, waiting_since, id) where reviewer_id is not null;
      create index review_submission_untaken on review_submission (status, waiting_since, id) where reviewer_id is null;
      create index review_submission_decided on review_submission (decided_at) where decided_at is not null;

      create table review_verdict (
        submission_id text not null references review_submission,
        item text not null,
        met boolean not null,
        note text not null,
        reviewer_id text not null references operator,
        given_at timestamptz not null,
        primary key (submission_id, item)
      );

      create table review_message (
        id bigint generated always as identity primary key,
        submission_id text not null references review_submission,
        author_id text not null references operator,
        author_role text not null check (author_role in ('operator', 'reviewer')),
        body text not null,
        written_at timestamptz not null
      );
      create index review_message_submission on review_message (submission_id, id);

      -- What the service has observed a sandbox client do: one row with a count for each kind.
      create table review_evidence (
        client_no int not null references client,
        kind text not null,
        first_at timestamptz not null,
        last_at timestamptz not null,
        count bigint not null,
        primary key (client_no, kind)
      ) with (fillfactor = 60);

      -- The state that the next requests of a sandbox client are compared with, as of the last batch.
      create table client_observation (
        client_no int primary key references client,
        state json not null
      ) with (fillfactor = 60);

      -- The trail is read newest first: all of it, or filtered by actor, subject, integration or operator, and in each case by action.
      drop index audit_entry_operator, audit_entry_integration, audit_entry_subject;
      create index audit_entry_occurred on audit_entry (occurred_at desc, id desc);
      create index audit_entry_action on audit_entry (action, occurred_at desc, id desc);
      create index audit_entry_subject on audit_entry (subject_id, occurred_at desc, id desc);
      create index audit_entry_actor on audit_entry (actor_id, occurred_at desc, id desc) where actor_id is not null;
      create index audit_entry_actor_action on audit_entry (actor_id, action, occurred_at desc, id desc) where actor_id is not null;
      create index audit_entry_operator on audit_entry (operator_id, occurred_at desc, id desc) where operator_id is not null;
      create index audit_entry_operator_action on audit_entry (operator_id, action, occurred_at desc, id desc) where operator_id is not null;
      create index audit_entry_integration on audit_entry (integration_id, occurred_at desc, id desc) where integration_id is not null;
      create index audit_entry_integration_action on audit_entry (integration_id, action, occurred_at desc, id desc) where integration_id is not null;
      create index revocation_newest on revocation (client_no, revoked_at desc, id desc) where acknowledged_at is null;
      create index connection_created on connection (client_no, created_at desc, id desc);
      create index service_token_created on service_token (created_at desc, id desc);
      -- On the queue's own table: jobs that have failed at least once, so that they need not be searched for among all waiting ones.
      create index svc_jobs_failed on graphile_worker._private_jobs (id desc) where last_error is not null;
      create index certificate_expiry on certificate (usable_until) where status = 'issued';
    `);
  }
}

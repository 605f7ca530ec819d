-- Submissions for review, with the reviewers' verdicts and drafts and the messages of both sides.

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
  -- The status before the submission, which a withdrawal restores. An integration that was once rejected never returns to `sandbox`.
  submitted_from text not null default 'sandbox' check (submitted_from in ('sandbox', 'rejected')),
  -- Whose turn it is, and since when; after the decision, the time of the decision.
  waiting_for text not null check (waiting_for in ('reviewer', 'operator')),
  waiting_since timestamptz not null,
  reviewer_id text references operator,
  taken_at timestamptz,
  decided_at timestamptz,
  decided_by text references operator,
  decision_notes text,
  -- What the service had found out by itself when it was decided; null otherwise.
  checks jsonb,
  unique (integration_id, round),
  foreign key (integration_id, profile_version) references profile_version (integration_id, version),
  check ((status = 'submitted') = (decided_at is null))
);
create unique index review_submission_open on review_submission (integration_id) where status = 'submitted';
create index review_submission_decided on review_submission (decided_at) where decided_at is not null;
-- The reviewers' tabs: what waits for the owner or for a colleague, what one reviewer has, what nobody has taken, and what has ended.
create index review_submission_turn on review_submission (status, waiting_for, waiting_since, id);
create index review_submission_reviewer_turn on review_submission (reviewer_id, status, waiting_for, waiting_since, id) where reviewer_id is not null;
create index review_submission_untaken_turn on review_submission (status, waiting_for, waiting_since, id) where reviewer_id is null;
create index review_submission_ended on review_submission (waiting_since, id) where status <> 'submitted';
create index review_submission_status on review_submission (status, waiting_since, id);

create table review_verdict (
  submission_id text not null references review_submission,
  item text not null,
  met boolean not null,
  note text not null,
  reviewer_id text not null references operator,
  given_at timestamptz not null,
  primary key (submission_id, item)
);
-- A reviewer's own notes on what was not met, to begin new ones with.
create index review_verdict_notes on review_verdict (reviewer_id, given_at) where not met;

-- What a reviewer has decided and noted so far, seen by that reviewer alone. It becomes verdicts when the sitting ends.
create table review_draft (
  submission_id text not null references review_submission,
  reviewer_id text not null references operator,
  -- An item of the checklist, `question`, `approval` or `rejection`.
  part text not null,
  met boolean,
  note text not null,
  -- Another one with every save, and never one that was there before, so that a page that has not seen the last save does not overwrite it.
  version int generated always as identity,
  saved_at timestamptz not null,
  primary key (submission_id, reviewer_id, part)
);
create index review_draft_age on review_draft (saved_at);

-- Who has a submission open, and which of its links they have followed.
create table review_visit (
  submission_id text not null references review_submission,
  reviewer_id text not null references operator,
  opened_at timestamptz not null,
  seen_at timestamptz not null,
  links text[] not null,
  primary key (submission_id, reviewer_id)
);
create index review_visit_age on review_visit (seen_at);

create table review_message (
  id bigint generated always as identity primary key,
  submission_id text not null references review_submission,
  author_id text not null references operator,
  author_role text not null check (author_role in ('operator', 'reviewer')),
  body text not null,
  written_at timestamptz not null
);
create index review_message_submission on review_message (submission_id, id);

-- What was found when the pages of a profile version were visited the last time.
create table page_check (
  integration_id text not null,
  profile_version int not null,
  id text not null unique,
  review_url text,
  requested_at timestamptz not null,
  -- When a worker first came to it.
  begun_at timestamptz,
  finished_at timestamptz,
  checked_at timestamptz,
  pages jsonb not null default '[]',
  primary key (integration_id, profile_version),
  foreign key (integration_id, profile_version) references profile_version (integration_id, version)
);
create index page_check_requested_at on page_check (requested_at);

-- What an owner has written of a submission so far.
create table submission_draft (
  integration_id text primary key references integration,
  profile_version int not null,
  review_url text not null,
  confirmations jsonb not null,
  -- As in review_draft.
  version int generated always as identity,
  saved_at timestamptz not null
);
create index submission_draft_saved_at on submission_draft (saved_at);

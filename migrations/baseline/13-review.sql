-- Submissions for review, with the reviewers' verdicts and the messages of both sides.

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
  unique (integration_id, round),
  foreign key (integration_id, profile_version) references profile_version (integration_id, version),
  check ((status = 'submitted') = (decided_at is null))
);
create unique index review_submission_open on review_submission (integration_id) where status = 'submitted';
create index review_submission_decided on review_submission (decided_at) where decided_at is not null;
-- The queue of the reviewers: all of it, one reviewer's, and what nobody has taken, in each case also by whose turn it is.
create index review_submission_status on review_submission (status, waiting_since, id);
create index review_submission_turn on review_submission (status, waiting_for, waiting_since, id);
create index review_submission_reviewer on review_submission (reviewer_id, status, waiting_since, id) where reviewer_id is not null;
create index review_submission_reviewer_turn on review_submission (reviewer_id, status, waiting_for, waiting_since, id) where reviewer_id is not null;
create index review_submission_untaken on review_submission (status, waiting_since, id) where reviewer_id is null;
create index review_submission_untaken_turn on review_submission (status, waiting_for, waiting_since, id) where reviewer_id is null;

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

-- Mails, each stored once for its kind and subject, and the mailbox of development.

create table mail (
  id text primary key,
  kind text not null,
  subject_id text not null,
  operator_id text references operator,
  integration_id text references integration,
  -- The address is read when the mail is sent. Only the farewell to a deleted account stores it until then.
  recipient text,
  details json not null default '{}',
  created_at timestamptz not null,
  -- Written before it is handed over, with how often that has been without learning what became of it.
  attempted_at timestamptz,
  handovers int not null default 0,
  sent_at timestamptz,
  -- When the mail server refused it for good, and with which reply: its code and enhanced code, without words.
  refused_at timestamptz,
  refused_with text,
  -- When its reader marked it as read among the news of the portal.
  read_at timestamptz,
  unique (kind, subject_id),
  check ((refused_at is null) = (refused_with is null))
);
create index mail_created on mail (created_at);
create index mail_recipient on mail (created_at) where recipient is not null;
-- Somebody's news, all of them and those that are not marked as read.
create index mail_operator on mail (operator_id, created_at desc, id desc) where operator_id is not null;
create index mail_unread on mail (operator_id, created_at desc, id desc) where operator_id is not null and read_at is null;
-- A search of failed jobs finds the mails that wait for one of them.
create index mail_unsent_operator on mail (operator_id) where sent_at is null and operator_id is not null;
create index mail_unsent_integration on mail (integration_id) where sent_at is null and integration_id is not null;

create table development_mail (
  id text primary key,
  recipient text not null,
  subject text not null,
  text text not null,
  html text not null,
  received_at timestamptz not null
);
create index development_mail_received on development_mail (received_at);

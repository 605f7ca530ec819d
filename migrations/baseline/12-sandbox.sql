-- The generations of each sandbox's test data, and how often its owner has simulated an event.

create table sandbox_corpus (
  client_number int not null references client,
  generation int not null,
  requested_at timestamptz not null,
  started_at timestamptz,
  ready_at timestamptz,
  failed_at timestamptz,
  primary key (client_number, generation)
);

create table sandbox_actions (
  client_number int primary key references client,
  window_start timestamptz not null,
  count int not null
) with (fillfactor = 40);

import { Migration } from '@mikro-orm/migrations';

/** The sharing core: tracked resources, connections, shared resources, revocations, each client's feed, statistics. */
export class Migration20261121090200_sharing extends Migration {
  override up(): void {
    this.addSql(`
      create table client_feed (
        client_no int primary key references client,
        head bigint not null default 0,
        epoch int not null default 0
      ) with (fillfactor = 50);

      create table tracked_resource (
        id bigint generated always as identity primary key,
        environment text not null check (environment in ('sandbox', 'production')),
        type text not null check (type in ('order', 'vehicle')),
        source_key bytea not null,
        source_version bigint not null,
        user_ref bytea,
        core text not null,
        shipping text,
        history_complete boolean not null,
        last_sequence bigint not null default 0,
        withdrawn_at timestamptz,
        unique (environment, type, source_key),
        check (octet_length(core) + coalesce(octet_length(shipping), 0) <= 16000)
      ) with (fillfactor = 85);

      create table tracked_change (
        tracked_resource_id bigint not null references tracked_resource on delete cascade,
        sequence bigint not null,
        section text not null check (section in ('core', 'shipping')),
        occurred_at timestamptz not null,
        changes text not null,
        primary key (tracked_resource_id, sequence)
      );

      create table revocation (
        client_no int not null references client,
        id text not null,
        subject_type text not null check (subject_type in ('resource', 'connection')),
        subject_id text not null,
        connection_id text not null,
        revoked_at timestamptz not null,
        deletion_deadline_at timestamptz not null,
        acknowledged_at timestamptz,
        acknowledged_late boolean not null default false,
        warned_at timestamptz,
        enforced_at timestamptz,
        primary key (client_no, id)
      );
      create index revocation_outstanding on revocation (client_no, deletion_deadline_at) where acknowledged_at is null;
      create index revocation_deadline on revocation (deletion_deadline_at) where acknowledged_at is null;

      create table connection (
        client_no int not null references client,
        id text not null,
        user_ref bytea not null,
        profile_version int not null,
        scopes text[] not null,
        statistics_opted_in boolean not null,
        created_at timestamptz not null,
        revocation_id text,
        position bigint,
        primary key (client_no, id),
        check ((revocation_id is null) = (position is null)),
        foreign key (client_no, revocation_id) references revocation
      );
      create unique index connection_tombstone on connection (client_no, position) where position is not null;
      create index connection_user on connection (user_ref);

      create table shared_resource (
        client_no int not null references client,
        id text not null,
        connection_id text not null,
        tracked_resource_id bigint references tracked_resource on delete set null,
        type text not null check (type in ('order', 'vehicle')),
        consented smallint not null,
        revision bigint not null default 1,
        position bigint not null,
        updated_at timestamptz not null,
        revocation_id text,
        primary key (client_no, id),
        foreign key (client_no, connection_id) references connection,
        foreign key (client_no, revocation_id) references revocation
      ) with (fillfactor = 80);
      create unique index shared_resource_feed on shared_resource (client_no, position);
      create unique index shared_resource_live on shared_resource (client_no, connection_id, tracked_resource_id) where revocation_id is null;
      create index shared_resource_fan_out on shared_resource (tracked_resource_id) where revocation_id is null;

      create table statistics_generation (
        client_no int not null references client,
        id text not null,
        published_at timestamptz not null,
        period_from date not null,
        period_to date not null,
        minimum_group_size int not null,
        groups text not null,
        basis text not null,
        primary key (client_no, id)
      );
      create index statistics_generation_latest on statistics_generation (client_no, published_at desc);
    `);
  }
}

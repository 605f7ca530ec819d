#!/usr/bin/env bash
# Makes the database and the roles of an installation (docs/operating.md), once, as PostgreSQL's administrator. The image of PostgreSQL runs it for a new
# cluster; elsewhere, set the variables and PGHOST, PGUSER and so on. The migrate command then gives each role what it may do.
set -euo pipefail
# By environment, because everybody on a machine can read the arguments of its processes.
export OWNER_PASSWORD PORTAL_PASSWORD MACHINE_API_PASSWORD WORKERS_PASSWORD
psql -v ON_ERROR_STOP=1 --username "${POSTGRES_USER:-postgres}" --dbname postgres <<'SQL'
\getenv owner OWNER_PASSWORD
\getenv portal PORTAL_PASSWORD
\getenv machine_api MACHINE_API_PASSWORD
\getenv workers WORKERS_PASSWORD
-- No password reaches the server's log.
set log_statement = 'none';
set log_min_duration_statement = -1;
set log_min_error_statement = 'panic';
create role oi_owner login createrole password :'owner';
-- One process that takes too many connections leaves room for the others (docs/operating.md, “Roles”).
create role oi_portal login connection limit 60 password :'portal';
create role oi_machine_api login connection limit 90 password :'machine_api';
create role oi_workers login connection limit 140 password :'workers';
-- The owner gives the others their settings, and cannot act as one of them. (PostgreSQL 15 knows no such grant, and needs none.)
select current_setting('server_version_num')::int >= 160000 as since_16 \gset
\if :since_16
grant oi_portal, oi_machine_api, oi_workers to oi_owner with admin true, inherit false, set false;
\endif
create database oi owner oi_owner;
-- Nobody else has a reason to be in the other databases, or to fill the disk with large objects.
revoke connect, temporary on database postgres, template1 from public;
\connect oi
revoke execute on function lo_create(oid), lo_creat(integer), lo_from_bytea(oid, bytea) from public;
SQL

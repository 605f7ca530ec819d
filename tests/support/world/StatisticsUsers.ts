import { createHash, randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { newId } from '../../../server/domain/shared/ids.ts';
import { allScopes, scopeBits } from '../../../server/domain/shared/scopes.ts';
import { sql } from '../../../server/domain/shared/sql.ts';
import type { StatisticsBasis, StatisticsGroup } from '../../../server/domain/statistics/orderStatistics.ts';
import type { TestClient } from './Fixtures.ts';

/** The facts of an order of a test's user; dates are `YYYY-MM-DD`. */
export type TestOrder = { model?: string; status?: string; orderedOn?: string; builtOn?: string; deliveredOn?: string };

/** Users of one client, with shared orders as redeemed link codes leave them. */
export class StatisticsUsers {
  readonly #em: () => EntityManager;
  readonly client: TestClient;

  constructor(em: () => EntityManager, client: TestClient) {
    this.#em = em;
    this.client = client;
  }

  /** The `user_ref` of a test's user. */
  ref(user: number): Buffer {
    return createHash('sha256').update(`${this.client.id} ${user}`).digest();
  }

  /** A user links one order; returns the connection's id. */
  async join(user: number, order: TestOrder = {}, { optedIn = true }: { optedIn?: boolean } = {}): Promise<string> {
    const [connectionId, trackedId] = [newId('con'), await this.#track(user, order)];
    await sql(
      this.#em(),
      `insert into connection (client_number, id, user_ref, profile_version, scopes, statistics_opted_in, created_at) values ($1, $2, $3, 1, $4, $5, $6)`,
      [this.client.number, connectionId, this.ref(user), allScopes, optedIn, new Date()],
    );
    await this.share(connectionId, trackedId);
    return connectionId;
  }

  async share(connectionId: string, trackedId: string): Promise<void> {
    const [feed] = await sql<{ head: string }>(
      this.#em(),
      'update client_feed set head = head + 1 where client_number = $1 returning head',
      [this.client.number],
    );
    await sql(
      this.#em(),
      `insert into shared_resource (client_number, id, connection_id, tracked_resource_id, type, consented, position, updated_at)
       values ($1, $2, $3, $4, 'order', $5, $6, $7)`,
      [this.client.number, newId('ord'), connectionId, trackedId, scopeBits(...allScopes), feed?.head, new Date()],
    );
  }

  async #track(user: number, { model = 'Kestrel', status = 'placed', orderedOn = '2026-01-01', builtOn, deliveredOn }: TestOrder) {
    const core = JSON.stringify({ status, model, market: 'DE', ordered_on: orderedOn, production: { completed_on: builtOn } });
    const [row] = await sql<{ id: string }>(
      this.#em(),
      `insert into tracked_resource (environment, type, source_key, source_version, user_ref, core, history_complete) values ($1, 'order', $2, 1, $3, $4, true) returning id`,
      [this.client.environment, randomBytes(32), this.ref(user), core],
    );
    if (deliveredOn !== undefined) {
      await sql(
        this.#em(),
        `insert into tracked_change (tracked_resource_id, sequence, section, occurred_at, changes) values ($1, 1, 'core', $2, $3)`,
        [row?.id, `${deliveredOn}T23:59:59.999Z`, JSON.stringify([{ path: 'status', from: 'at_delivery_centre', to: 'delivered' }])],
      );
    }
    return row?.id ?? '';
  }

  /** The user's orders of this client, by their tracked resources. */
  async orders(user: number): Promise<string[]> {
    const rows = await sql<{ id: string }>(
      this.#em(),
      `select s.tracked_resource_id as id from shared_resource s join connection c on c.client_number = s.client_number and c.id = s.connection_id
        where c.client_number = $1 and c.user_ref = $2 order by 1`,
      [this.client.number, this.ref(user)],
    );
    return rows.map((row) => row.id);
  }

  /** Changes the numbers of the user's orders. */
  async change(user: number, members: Readonly<Record<string, unknown>>): Promise<void> {
    await sql(this.#em(), `update tracked_resource set core = (core::jsonb || $2::jsonb)::text where id = any($1::bigint[])`, [
      await this.orders(user),
      JSON.stringify(members),
    ]);
  }

  /** Ends the user's connections. */
  async leave(user: number): Promise<void> {
    const connections = await sql<{ id: string }>(
      this.#em(),
      'select id from connection where client_number = $1 and user_ref = $2 and revocation_id is null',
      [this.client.number, this.ref(user)],
    );
    for (const { id } of connections) {
      await sql(
        this.#em(),
        `with r as (insert into revocation (client_number, id, subject_type, subject_id, connection_id, revoked_at, deletion_deadline_at)
           values ($1, $3, 'connection', $2, $2, $4, $4) returning id)
         update shared_resource set revocation_id = (select id from r) where client_number = $1 and connection_id = $2`,
        [this.client.number, id, newId('rev'), new Date()],
      );
    }
  }

  async setParticipation(user: number, optedIn: boolean): Promise<void> {
    await sql(this.#em(), 'update connection set statistics_opted_in = $3 where client_number = $1 and user_ref = $2', [
      this.client.number,
      this.ref(user),
      optedIn,
    ]);
  }

  /** The user leaves for good: in what published values were computed from, a random key takes the place of theirs. */
  async erase(user: number): Promise<void> {
    await this.leave(user);
    await sql(this.#em(), 'update statistics_generation set basis = replace(basis, $2, $3) where client_number = $1', [
      this.client.number,
      this.ref(user).toString('hex'),
      randomBytes(32).toString('hex'),
    ]);
  }

  /** The client's generations, latest first, with their bases. */
  async generations(): Promise<{ id: string; groups: StatisticsGroup[]; basis: StatisticsBasis }[]> {
    const rows = await sql<{ id: string; groups: string; basis: string }>(
      this.#em(),
      'select id, groups, basis from statistics_generation where client_number = $1 order by published_at desc, id desc',
      [this.client.number],
    );
    return rows.map((row) => ({ id: row.id, groups: JSON.parse(row.groups), basis: JSON.parse(row.basis) }));
  }
}

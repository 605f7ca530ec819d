import { setTimeout as delay } from 'node:timers/promises';
import type { EntityManager } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { createOrm } from '../../server/database/orm.ts';
import { closeProductionGate } from '../../server/domain/gate/closeProductionGate.ts';
import { lockFeed } from '../../server/domain/feed/lockFeeds.ts';
import { allScopes } from '../../server/domain/shared/scopes.ts';
import { sql } from '../../server/domain/shared/sql.ts';
import { changeConsent } from '../../server/domain/sharing/consent/changeConsent.ts';
import { revokeConnection } from '../../server/domain/sharing/revocation/revokeConnection.ts';
import type { Received } from '../programs/webhookReceiver.ts';
import { DrillWorld } from './drillWorld.ts';
import { allEnded, createDeliveries, createEndpoints } from './endpoints.ts';

const deliveries = 1_000;
const host = 'slow-0.hooks.test';

type Place = { readonly clientNumber: number; readonly connectionId: string; readonly integrationId: string };
type Ending = {
  readonly name: string;
  /** Ends access while deliveries wait and are under way. */
  end(em: EntityManager, place: Place): Promise<unknown>;
  /** What must not start any more. */
  readonly forbidden: (request: Received) => boolean;
};

const endings: readonly Ending[] = [
  {
    name: 'revocation',
    end: (tx, { clientNumber, connectionId }) => revokeConnection(tx, { clientNumber, connectionId, now: new Date() }),
    forbidden: ({ snapshot }) => snapshot,
  },
  {
    name: 'narrowing',
    end: async (tx, { clientNumber, connectionId }) => {
      await lockFeed(tx, clientNumber);
      const scopes = allScopes.filter((scope) => scope !== 'shipping.read');
      return changeConsent(tx, { clientNumber, connectionId, scopes, clientScopes: allScopes, now: new Date() });
    },
    forbidden: ({ shipping }) => shipping,
  },
  {
    name: 'gate',
    end: (tx, { integrationId }) =>
      closeProductionGate(tx, { actor: { type: 'system', name: 'drill' }, integrationId, reason: 'Drill', now: new Date() }),
    forbidden: ({ type }) => type === 'resource.updated',
  },
];

/**
 * Full payloads wait and are under way when access ends. What starts afterwards must not carry what has ended. A fresh client for each round;
 * attempts are compared
 * with the moment at which the caller that ended access was told of the commit, and with PostgreSQL’s own time of it, which is before the disk has it.
 */
export async function runRevocationDrill(quick: boolean): Promise<string[]> {
  const rounds = quick ? 2 : 10;
  const faults: string[] = [];
  const shares = Array.from({ length: rounds * endings.length }, () => 200);
  const world = await DrillWorld.open({ shares, hosts: [host] });
  const orm = await createOrm(world.databaseUrl);
  try {
    const db = await world.connect();
    await db.query(`update client set environment = 'production'`);
    await db.query(`update integration set status = 'active', reviewed_profile_version = 1, production_gate_open = true`);
    await db.query('update service_gate set production_data_enabled = true');
    const worker = await world.startWorker();
    let client = 0;
    for (const ending of endings) {
      const late: number[] = [];
      let sinceBegun = 0;
      let before = 0;
      let told = 0;
      for (let round = 0; round < rounds; round += 1, client += 1) {
        const outcome = await oneRound(world, db, orm.em.fork(), { clientNumber: world.clients[client] ?? 0, ending });
        late.push(...outcome.late);
        before += outcome.before;
        sinceBegun += outcome.sinceBegun;
        told += outcome.told;
      }
      console.log(
        `  ${ending.name}: ${rounds} rounds of ${deliveries}; ${before} requests before the commit; ${late.length} that started after it and carried what had ended` +
          (late.length > 0 ? `, at most ${Math.max(...late)} ms after it` : '') +
          ` (${sinceBegun} after PostgreSQL’s own time of it)` +
          (ending.name === 'revocation' ? `; the revocation’s own event arrived ${told} times` : ''),
      );
      if (late.length > 0) faults.push(`${late.length} attempts began after the ${ending.name} and carried what had ended`);
      if (ending.name === 'revocation' && told !== rounds)
        faults.push(`the revocation’s own event arrived ${told} times in ${rounds} rounds`);
    }
    await db.end();
    await worker.stop();
    return faults;
  } finally {
    await orm.close(true);
    await world.close();
  }
}

type Round = { readonly clientNumber: number; readonly ending: Ending };

async function oneRound(world: DrillWorld, db: pg.Client, em: EntityManager, { clientNumber, ending }: Round) {
  const endpoints = await createEndpoints(db, [clientNumber], [host], 'full_payload');
  const { rows } = await db.query<Place>(
    `select c.number as "clientNumber", c.integration_id as "integrationId", (select id from connection where client_number = c.number limit 1) as "connectionId" from client c where number = $1`,
    [clientNumber],
  );
  const place = rows[0] ?? { clientNumber, connectionId: '', integrationId: '' };
  await createDeliveries(db, endpoints, deliveries);
  // Some have been sent, eight are under way, many are queued, and the rest waits in the table.
  await delay(300 + Math.random() * 300);
  const xid = await em.transactional(async (tx) => {
    await ending.end(tx, place);
    const [row] = await sql<{ xid: string }>(tx, 'select pg_current_xact_id()::xid::text as xid');
    return row?.xid ?? '';
  });
  const toldAt = Date.now();
  const committed = await db.query<{ at: number }>(`select date_part('epoch', pg_xact_commit_timestamp($1::xid)) * 1000 as at`, [xid]);
  const commitAt = committed.rows[0]?.at ?? 0;
  await allEnded(db);
  await delay(100);
  const received = await world.received();
  const { rows: attempts } = await db.query<{ event_id: string; started: number }>(
    `select d.event_id, date_part('epoch', a.started_at) * 1000 as started from webhook_delivery d join webhook_attempt a on a.delivery_number = d.number where d.endpoint_number = $1`,
    [endpoints[0]?.number],
  );
  const startedAt = new Map(attempts.map(({ event_id, started }) => [event_id, started]));
  const ofRound = received.map((request) => ({ ...request, startedAt: startedAt.get(request.eventId) ?? request.arrivedAt }));
  const after = (moment: number) => ofRound.filter((request) => request.startedAt > moment && ending.forbidden(request));
  return {
    late: after(toldAt).map((request) => Math.round(request.startedAt - toldAt)),
    sinceBegun: after(Math.ceil(commitAt)).length,
    before: ofRound.filter((request) => request.startedAt <= commitAt).length,
    told: ofRound.filter(({ type }) => type === 'connection.revoked').length,
  };
}

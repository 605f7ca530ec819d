import { snapshotText } from '../../feed/snapshotText.ts';
import type { Query } from '../../shared/query.ts';
import { deliveryNowSql, dueDeliveriesSql, nextDueSql, windowsOverSql } from './dueDeliveries.sql.ts';
import type { DeliverableEvent, EnclosedSnapshot } from '../envelope.ts';
import type { DueDelivery, EndpointAtRead } from './dueDelivery.ts';

/** What is asked about one endpoint. */
export type Asked = {
  readonly endpointNumber: number;
  /** How many deliveries there is room for. */
  readonly room: number;
  /** Deliveries that have been read and whose results are not stored yet. */
  readonly claimed: Iterable<number>;
  /** Nothing that became due before is looked for; in milliseconds since 1970. */
  readonly floor: number;
};

/** A delivery that was due, and since when. */
export type ReadDelivery = DueDelivery & { readonly dueAt: number };

type Row = {
  number: number;
  endpoint_number: number;
  test: boolean;
  state: DueDelivery['state'];
  held_for: DueDelivery['heldFor'];
  attempts: number;
  window_ends_at: number;
  discard: DueDelivery['discard'];
  hold: DueDelivery['hold'];
  endpoint_id: string;
  operator_id: string;
  url: string;
  payload_mode: EndpointAtRead['payloadMode'];
  environment: EndpointAtRead['environment'];
  failures_in_row: number;
  failing_since: number | null;
  last_success_at: number | null;
  event_id: string;
  type: DeliverableEvent['type'];
  occurred_at: number;
  connection_id: string | null;
  resource_id: string | null;
  resource_type: 'order' | 'vehicle' | null;
  revocation_id: string | null;
  generation_id: string | null;
  deletion_deadline_at: number | null;
  due_at: number;
};
/** With what a full payload shows, which is read only for what is sent. */
type SnapshotRow = {
  core: string | null;
  shipping: string | null;
  history_complete: boolean | null;
  revision: string | null;
  updated_at: string | null;
  scopes: number | null;
};

/** Reads what is due of these endpoints at `now`, each delivery with its fresh check and all that would be sent. It writes nothing. */
export async function readDueDeliveries(query: Query, asked: readonly Asked[], now: number): Promise<ReadDelivery[]> {
  const rows = await query<Row & SnapshotRow>(dueDeliveriesSql, [
    `{${asked.map(({ endpointNumber }) => endpointNumber).join(',')}}`,
    `{${asked.map(({ room }) => room).join(',')}}`,
    `{${asked.map(({ claimed }) => `"{${[...claimed].join(',')}}"`).join(',')}}`,
    `{${asked.map(({ floor }) => floor).join(',')}}`,
    now,
  ]);
  return rows.map((row) => deliveryOf(row, snapshotOf(row)));
}

/** One delivery, in whatever state, as it would be checked and sent now; null if its event is no longer kept. */
export async function readDeliveryNow(query: Query, number: number): Promise<DueDelivery | null> {
  const [row] = await query<Row & SnapshotRow>(deliveryNowSql, [number]);
  return row && row.discard !== 'event_gone' ? deliveryOf(row, snapshotOf(row)) : null;
}

/** Reads deliveries whose window is over at `now`, pending or held, at most `slice` of them. */
export async function readWindowsOver(
  query: Query,
  { now, claimed, slice }: { now: number; claimed: Iterable<number>; slice: number },
): Promise<ReadDelivery[]> {
  const rows = await query<Row>(windowsOverSql, [now, `{${[...claimed].join(',')}}`, slice]);
  return rows.map((row) => deliveryOf({ ...row, revision: null }, undefined));
}

/** When the next delivery of each endpoint that has pending ones is due. */
export async function readNextDue(query: Query): Promise<{ endpointNumber: number; dueAt: number }[]> {
  const rows = await query<{ endpoint_number: number; due_at: number }>(nextDueSql, []);
  return rows.map((row) => ({ endpointNumber: row.endpoint_number, dueAt: row.due_at }));
}

/** Instants are rounded, because fractions of seconds are not exact in binary. */
function deliveryOf(row: Row & Pick<SnapshotRow, 'revision'>, snapshot: EnclosedSnapshot | undefined): ReadDelivery {
  return {
    number: row.number,
    endpointNumber: row.endpoint_number,
    test: row.test,
    state: row.state,
    heldFor: row.held_for,
    attempts: row.attempts,
    windowEndsAt: Math.round(row.window_ends_at),
    discard: row.discard,
    hold: row.hold,
    endpoint: {
      id: row.endpoint_id,
      operatorId: row.operator_id,
      url: row.url,
      payloadMode: row.payload_mode,
      environment: row.environment,
      failuresInRow: row.failures_in_row,
      failingSince: row.failing_since,
      lastSuccessAt: row.last_success_at,
    },
    event: {
      id: row.event_id,
      type: row.type,
      occurredAt: new Date(Math.round(row.occurred_at)),
      connectionId: row.connection_id,
      resource: row.resource_id !== null && row.resource_type !== null ? { id: row.resource_id, type: row.resource_type } : null,
      revocationId: row.revocation_id,
      deletionDeadlineAt: row.deletion_deadline_at === null ? null : new Date(Math.round(row.deletion_deadline_at)),
      generationId: row.generation_id,
    },
    snapshot,
    revision: snapshot ? row.revision : null,
    dueAt: row.due_at,
  };
}

function snapshotOf(row: Row & SnapshotRow): EnclosedSnapshot | undefined {
  const { resource_id: id, connection_id: connectionId, core, revision, updated_at: updatedAt } = row;
  // The columns of a snapshot are there together or not at all.
  if (id === null || connectionId === null || core === null || revision === null || updatedAt === null) return undefined;
  const historyComplete = row.history_complete === true;
  const facts = { id, connectionId, revision, updatedAt, scopes: row.scopes ?? 0, historyComplete };
  return { text: snapshotText(facts, core, row.shipping), historyComplete };
}

import type { EntityManager } from '@mikro-orm/postgresql';
import type pg from 'pg';
import { sql } from '../../../server/domain/shared/sql.ts';

/** Where builders write: a world, or a transaction that the test commits itself. */
export type Rows = { rows<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> };

/** Writes on this connection, so that nobody else sees the rows before it commits. */
export const rowsOn = (connection: pg.ClientBase): Rows => ({
  rows: async <Row>(text: string, values: readonly unknown[] = []) => (await connection.query(text, [...values])).rows as Row[],
});

/** Writes in the transaction of this manager. */
export const rowsIn = (em: EntityManager): Rows => ({ rows: (text, values) => sql(em, text, values) });

import type pg from 'pg';
import { planName } from '../../domain/shared/sql.ts';
import { PooledClient } from './PooledClient.ts';

/**
 * A connection of the ORM's pool. It gives the statements of `plannedOnce` their names, which the ORM cannot.
 *
 * The ORM's query builder returns a connection only after its rollback has succeeded, and never if its begin failed. After a lost connection the
 * pool would therefore be one connection smaller for ever. A rollback that fails has taken effect anyway, because its connection has ended.
 */
export class OrmClient extends PooledClient {
  override async query<Row extends pg.QueryResultRow>(...parameters: unknown[]): Promise<pg.QueryResult<Row>> {
    const [text, values, ...rest] = parameters;
    const name = typeof text === 'string' ? planName(text) : undefined;
    try {
      return await (name === undefined ? super.query<Row>(...parameters) : super.query<Row>({ name, text, values }, ...rest));
    } catch (error) {
      if (text === 'begin' || String(text).startsWith('start transaction')) this.release(true);
      if (text !== 'rollback') throw error;
      this.endSoon();
      return { command: 'ROLLBACK', rowCount: 0, oid: 0, fields: [], rows: [] };
    }
  }
}

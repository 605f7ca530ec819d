import type pg from 'pg';
import { BoundedClient } from './BoundedClient.ts';
import { endsConnection } from './endsConnection.ts';

/** A connection of a pool, which drops it when it comes back once its server cannot do its work now, as one that has become a standby, or is silent. */
export class PooledClient extends BoundedClient implements pg.PoolClient {
  /** Is set by its pool each time it is taken. */
  declare release: pg.PoolClient['release'];

  override query<Row extends pg.QueryResultRow>(...parameters: unknown[]): Promise<pg.QueryResult<Row>> {
    // One of its many forms stands for all; some give back no promise.
    const result = super.query<Row>(...(parameters as [pg.QueryConfig]));
    if (result instanceof Promise) {
      result.catch((error: unknown) => {
        if (endsConnection(error, this.connectedAt)) this.endSoon();
      });
    }
    return result;
  }

  /** Ends it while it is still taken from its pool. `end` settles only when the socket has closed, and destroys it if a statement is under way. */
  endSoon(): void {
    void this.end().catch(() => undefined);
  }
}

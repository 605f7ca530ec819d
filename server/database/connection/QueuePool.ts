import pg from 'pg';

type OnConnected = (error: Error | undefined, client: pg.PoolClient | undefined, release: (destroy?: boolean) => void) => void;

/**
 * A queue that loses its listening connection while it stops, before it has heard that it listens, gives the connection back twice, the second
 * time where nobody catches what a pool says to that: the process would end (graphile-worker 0.18.0).
 */
export class QueuePool extends pg.Pool {
  override connect(): Promise<pg.PoolClient>;
  override connect(onConnected: OnConnected): void;
  override connect(onConnected?: OnConnected): Promise<pg.PoolClient> | void {
    if (!onConnected) return super.connect();
    super.connect((error, client, release) => {
      let isHeld = client !== undefined;
      onConnected(error, client, (destroy) => {
        if (isHeld) release(destroy);
        isHeld = false;
      });
    });
  }
}

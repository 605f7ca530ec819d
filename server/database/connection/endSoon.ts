import type pg from 'pg';

const ending = new WeakSet<pg.PoolClient>();

/**
 * Ends a connection that is still taken from its pool, which drops it as soon as it comes back. `end` settles only when the socket has closed,
 * and destroys it if a statement is still under way.
 */
export function endSoon(client: pg.PoolClient): void {
  ending.add(client);
  void (client as unknown as pg.Client).end().catch(() => undefined);
}

/** Notes that a connection breaks. Its user gets the error of their own statement. */
export function noteLoss(client: pg.PoolClient): void {
  client.on('error', () => ending.add(client)).on('end', () => ending.add(client));
}

/** Whether a connection has ended or is about to. Only those that `noteLoss` was called for are known. */
export function isEnding(client: pg.PoolClient): boolean {
  return ending.has(client);
}

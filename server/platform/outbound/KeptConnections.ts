import { openFileLimit } from '../http/openFiles.ts';
import type { Connection } from './exchange.ts';

/** How long a connection may be idle, and how long it is used in all: a certificate may have expired, a name may have moved. */
export const idleMs = 30_000;
const mostAgeMs = 5 * 60_000;
/**
 * Connections that wait for their endpoint’s next delivery. One takes some 80 KiB, so the least recently used go first. All together never keep
 * more than a quarter of the files that the process may open.
 */
const mostIdle = Math.min(1_000, Math.floor(openFileLimit() / 4));
const mostIdlePerEndpoint = 8;

/** Idle connections by endpoint and host, so that no endpoint’s answers are ever read from another one’s connection. */
export class KeptConnections {
  /** In the order of use; the first has been idle for the longest time. */
  readonly #idle = new Map<Connection, string>();
  readonly #byKey = new Map<string, Connection[]>();

  /** A connection that is still open, or undefined. It is no longer idle. */
  take(key: string): Connection | undefined {
    for (let kept = this.#byKey.get(key)?.at(-1); kept; kept = this.#byKey.get(key)?.at(-1)) {
      this.forget(kept);
      if (usable(kept)) return kept;
      close(kept);
    }
    return undefined;
  }

  /** Keeps a connection whose answer was complete. */
  keep(key: string, connection: Connection): void {
    const others = this.#byKey.get(key) ?? [];
    if (!usable(connection) || others.length >= mostIdlePerEndpoint) return close(connection);
    this.#byKey.set(key, [...others, connection]);
    this.#idle.set(connection, key);
    const [oldest] = this.#idle.keys();
    if (this.#idle.size > mostIdle && oldest) {
      this.forget(oldest);
      close(oldest);
    }
  }

  closeAll(): void {
    for (const connection of this.#idle.keys()) {
      this.forget(connection);
      close(connection);
    }
  }

  /** Call it when the connection has closed. */
  forget(connection: Connection): void {
    const key = this.#idle.get(connection);
    if (key === undefined) return;
    this.#idle.delete(connection);
    const others = this.#byKey.get(key)?.filter((other) => other !== connection) ?? [];
    if (others.length > 0) this.#byKey.set(key, others);
    else this.#byKey.delete(key);
  }
}

const usable = ({ client, socket, since }: Connection): boolean =>
  !client.destroyed && !socket.destroyed && !socket.readableEnded && performance.now() - since < mostAgeMs;

export function close({ client, socket }: Connection): void {
  socket.destroy();
  void client.destroy().catch(() => {});
}

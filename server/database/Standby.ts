import type { EntityManager } from '@mikro-orm/postgresql';
import { DomainError } from '../domain/shared/DomainError.ts';
import { sql } from '../domain/shared/sql.ts';
import type { Logger } from '../platform/logger.ts';
import type { Orm } from './orm.ts';

/** A standby that is further behind is not asked, so that a list that a page reads again shows what has happened meanwhile. */
const behind = '10 seconds';
/** How long a standby that failed is left alone, so that not each reader waits for it. */
const restMs = 10_000;

/** Null where nothing is known to have been replayed, as on a primary. */
const isNearSql = 'select coalesce(clock_timestamp() - pg_last_xact_replay_timestamp() < $1::interval, false) as near';

/**
 * Reads what may be some seconds old from a standby, to leave the primary to what may not. What it cannot answer, for any reason, the primary
 * does: also a refusal, because what is refused may only not have arrived yet.
 */
export class Standby {
  readonly #orm: Orm;
  readonly #logger: Logger;
  readonly #behind: string;
  #restsUntil = 0;

  constructor(orm: Orm, logger: Logger, { most = behind }: { readonly most?: string } = {}) {
    this.#orm = orm;
    this.#logger = logger;
    this.#behind = most;
  }

  /** `em` is the primary's. */
  async read<Found>(em: EntityManager, read: (em: EntityManager) => Promise<Found>): Promise<Found> {
    const standby = await this.#near();
    if (!standby) return read(em);
    try {
      return await read(standby);
    } catch (error) {
      if (!(error instanceof DomainError)) this.#rest(error);
      return read(em);
    }
  }

  async #near(): Promise<EntityManager | null> {
    if (performance.now() < this.#restsUntil) return null;
    const em = this.#orm.em.fork();
    try {
      const [row] = await sql<{ near: boolean }>(em, isNearSql, [this.#behind]);
      return row?.near === true ? em : null;
    } catch (error) {
      this.#rest(error);
      return null;
    }
  }

  #rest(error: unknown): void {
    this.#restsUntil = performance.now() + restMs;
    this.#logger.warn({ err: error }, 'standby.unavailable');
  }
}

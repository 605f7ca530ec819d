import type { EntityManager } from '@mikro-orm/postgresql';
import type { Orm } from '../server/database/orm.ts';
import { withinTime } from '../server/database/unavailable.ts';

/** Runs a command of the domain with a manager of its own. Rejects with `temporarily_unavailable` when the database does not answer. */
export type RunCommand = <Result>(command: (em: EntityManager) => Promise<Result>) => Promise<Result>;

// Longer than PostgreSQL's own statement limit, so that a slow statement is ended by it and not left behind.
const answerWithinMs = 16_000;

/** Commands on the ORM's pool, apart from admission's asynchronous transactions and from reading. */
export function commandRunner(orm: Orm): RunCommand {
  return (command) => withinTime(command(orm.em.fork()), answerWithinMs);
}

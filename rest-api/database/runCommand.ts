import { performance } from 'node:perf_hooks';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Orm } from '../../server/database/orm.ts';
import { withinTime } from '../../server/database/unavailable.ts';
import { DomainError } from '../../server/domain/shared/DomainError.ts';
import { ClientTurns } from './ClientTurns.ts';

/**
 * Runs a client's command of the domain with a manager of its own. Rejects with `temporarily_unavailable` when its turn does not come, or
 * the database does not answer, in time.
 */
export type RunCommand = <Result>(clientNo: number, command: (em: EntityManager) => Promise<Result>) => Promise<Result>;

/** Connections for commands in one process: enough for four clients whose commands all wait for a lock. */
export const commandConnections = 8;

// Half of what a client may have under way in all: its commands wait for one feed anyway.
const commandsPerClient = 2;

// Longer than PostgreSQL's own statement limit, so that a slow statement is ended by it and not left behind.
const answerWithinMs = 16_000;

/** Commands on the ORM's pool, apart from admission's asynchronous transactions and from reading. */
export function commandRunner(orm: Orm, withinMs: number = answerWithinMs): RunCommand {
  const turns = new ClientTurns(commandsPerClient);
  return (clientNo, command) => {
    const answeredAt = performance.now() + withinMs;
    const result = turns.run(clientNo, async () => {
      // Its caller has been answered already.
      if (performance.now() >= answeredAt) throw new DomainError('temporarily_unavailable', { retryAfterSeconds: 5 });
      return command(orm.em.fork());
    });
    return withinTime(result, withinMs);
  };
}

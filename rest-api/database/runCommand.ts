import type { EntityManager } from '@mikro-orm/postgresql';
import type { Orm } from '../../server/database/orm.ts';
import { withinTime } from '../../server/database/unavailable.ts';
import { DomainError } from '../../server/domain/shared/DomainError.ts';
import { ClientTurns } from './ClientTurns.ts';
import type { WhileThere } from './serverPresence.ts';

/**
 * Runs a command of the domain for a client, with an entity manager of its own. Rejects with `temporarily_unavailable` if its turn does not
 * come, or the database does not answer, in time.
 */
export type RunCommand = <Result>(clientNumber: number, command: (em: EntityManager) => Promise<Result>) => Promise<Result>;

// Half of what a client may have in progress altogether. More would be no use, because a client's commands all wait for the same feed; the
// process has connections for four clients whose commands are all waiting.
const commandsPerClient = 2;

// Longer than PostgreSQL's own limit for a statement, so that PostgreSQL ends a slow one and it is not left running.
const answerWithinMs = 16_000;

/** Runs commands on the ORM's pool, apart from admission's asynchronous transactions and from reading. */
export function commandRunner(orm: Orm, withinMs: number = answerWithinMs, whileThere: WhileThere = async (work) => work): RunCommand {
  const turns = new ClientTurns(commandsPerClient);
  return (clientNumber, command) => {
    let answered = false;
    const result = turns.run(clientNumber, async () => {
      // The caller has already had an answer. A clock could disagree with the timer about it by a moment, and the command would happen.
      if (answered) throw new DomainError('temporarily_unavailable', { retryAfterSeconds: 5 });
      return command(orm.em.fork());
    });
    return withinTime(whileThere(result), withinMs).finally(() => {
      answered = true;
    });
  };
}

import { IsolationLevel, type EntityManager } from '@mikro-orm/postgresql';
import { isOver, statusesThat } from '../integration/integrationStatus.ts';
import { lockNamedAccount } from '../account/lockNamedAccount.ts';
import { record } from '../audit/record.ts';
import { Integration } from '../integration/Integration.ts';
import type { Actor } from '../shared/actor.ts';
import { DomainError } from '../shared/DomainError.ts';
import { goodReason } from '../shared/reason.ts';
import { sql } from '../shared/sql.ts';
import { accountDeletion, endAccount, forgetAddressesSql, type AccountDeletion } from './deleteAccount.ts';
import { lockAdministrators, refuseLastAdministrator } from './lastAdministrator.ts';

/** What ends with an account. `integrations` counts all that would be retired; of many, `retires` names only the first. */
export type AccountClosing = AccountDeletion & { readonly operatorId: string; readonly integrations: number };

type CloseAccount = {
  readonly email: string;
  readonly reason: string;
  /** Is told what would go before anything is changed, and throws if nobody has agreed to it. */
  readonly agree: (closing: AccountClosing) => void;
  readonly actor: Actor;
  readonly now: Date;
};

/**
 * Ends an account whose owner is gone, at the server's terminal: as a deletion by its owner does (`deleteAccount`), but integrations under
 * review are retired, too, and deletions of users' production data that nobody has confirmed stay outstanding, because nobody is left who
 * could. Errors: invalid_request, not_found, conflict (the last administrator), and what `agree` throws.
 */
export function closeAccount(em: EntityManager, { email, reason, agree, actor, now }: CloseAccount): Promise<AccountClosing> {
  const words = goodReason(reason);
  return em.transactional(
    async (tx) => {
      await lockAdministrators(tx);
      const operator = await lockNamedAccount(tx, { email });
      if (!operator) throw new DomainError('not_found', { detail: 'No account has this address.' });
      const operatorId = operator.id;
      await refuseLastAdministrator(tx, operatorId);
      const integrations = await tx.count(Integration, { operatorId, status: { $nin: [...statusesThat(isOver)] } });
      const closing = { ...(await accountDeletion(tx, operatorId)), operatorId, integrations };
      agree(closing);
      const subject = { type: 'operator', id: operatorId };
      const details = { reason: words, undeleted: closing.undeleted.length };
      await record(tx, actor, now, { action: 'operator.closed', subject, operatorId, details });
      await endAccount(tx, { operatorId, actor, reason: words, now });
      await sql(tx, forgetAddressesSql, [operatorId]);
      return closing;
    },
    { isolationLevel: IsolationLevel.READ_COMMITTED },
  );
}

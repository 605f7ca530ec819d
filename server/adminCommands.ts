import { readFile } from 'node:fs/promises';
import { auditCommands, auditUsage } from './auditCommands.ts';
import type { EntityManager } from '@mikro-orm/postgresql';
import { type Agree, countOf, type Loss, onceAgreed } from './agreement.ts';
import { operandsOf, optionsOf, terminal as actor, UsageError, type AdminCommand, type CommandParsers } from './commandArguments.ts';
import { nearest } from './config/nearest.ts';
import { createServiceToken } from './domain/access/createServiceToken.ts';
import { revokeServiceToken } from './domain/access/revokeServiceToken.ts';
import { importCrl } from './domain/certificate/crl/publication/importCrl.ts';
import { resetFeeds } from './domain/feed/resetFeeds.ts';
import { type AccountClosing, closeAccount } from './domain/programme/closeAccount.ts';
import { grantRole } from './domain/programme/grantRole.ts';
import { lockAccount, unlockAccount } from './domain/programme/lockAccount.ts';
import { withdrawRole } from './domain/programme/withdrawRole.ts';
import { counted } from './domain/shared/text/numberWords.ts';
import { integrationCommands, integrationUsage } from './integrationCommands.ts';
import { keyCommands, keyUsage } from './keyCommands.ts';

export const usage = `oi admin <command>

A command with [--count N] ends something for good. Without it, it only shows what that would be (exit code 3), and prints the count to hand back.

  create-service-token --name NAME --environment sandbox|production --permissions A,B [--expires-in-days N]
                                  prints the token, which cannot be shown again; it expires after 365 days at the latest
  revoke-service-token ID         revokes the token immediately
  grant-role EMAIL ROLE           ROLE is reviewer or administrator
  withdraw-role EMAIL ROLE
  lock-account EMAIL REASON       ends its sessions and prevents signing in; the owner receives the reason by email
  unlock-account EMAIL REASON
  close-account EMAIL REASON [--count N]
                                  ends the account of an owner who is gone, and retires its integrations
  reset-feeds [--count N]         for use after a restore that may have lost commits: every client starts a recovery sync
  import-crl FILE [--count N]     publishes the revocation list that an authority with an offline key has signed, in PEM or DER;
                                  authorities that it revokes are trusted no longer
${auditUsage}${integrationUsage}${keyUsage}`;

/** The command that the arguments name. Throws UsageError, in which case nothing has been done. */
export function adminCommand([name = '', ...args]: readonly string[]): AdminCommand {
  const parse = Object.hasOwn(parsers, name) ? parsers[name] : undefined;
  if (!parse) throw new UsageError(name === '' ? 'Give a command.' : `There is no command named ${name}.${meantBy(name)}`);
  return parse(args);
}

function meantBy(name: string): string {
  const meant = nearest(name, Object.keys(parsers));
  return meant === undefined ? '' : ` Is ${meant} meant?`;
}

const parsers: CommandParsers = {
  ...auditCommands,
  ...integrationCommands,
  ...keyCommands,
  'create-service-token': (args) => {
    const {
      name,
      environment,
      permissions,
      'expires-in-days': days,
    } = optionsOf(['name', 'environment', 'permissions', 'expires-in-days'], args);
    if (name === undefined || environment === undefined || permissions === undefined) {
      throw new UsageError('create-service-token needs --name, --environment and --permissions.');
    }
    if (days !== undefined && !/^\d{1,4}$/.test(days)) throw new UsageError('--expires-in-days takes a number of days.');
    const list = permissions.split(',').map((permission) => permission.trim());
    const input = { name, environment, permissions: list.filter(Boolean), ...(days !== undefined && { expiresInDays: Number(days) }) };
    return async (em, now) => {
      const { serviceToken, token } = await createServiceToken(em, { actor, input, now });
      const { id, expiresAt } = serviceToken;
      return {
        result: token,
        words: `${id} (${serviceToken.environment}) is valid until ${expiresAt.toISOString()}. The token is shown only this once.`,
      };
    };
  },
  'revoke-service-token': (args) => {
    const [serviceTokenId] = operandsOf('revoke-service-token', ['ID'], args);
    return async (em, now) => {
      const { id, revokedAt } = await revokeServiceToken(em, { actor, serviceTokenId, now });
      return { words: `${id} was revoked at ${revokedAt?.toISOString()}.` };
    };
  },
  'grant-role': (args) => {
    const [email, role] = operandsOf('grant-role', ['EMAIL', 'ROLE'], args);
    return async (em, now) => {
      const done = await grantRole(em, { actor, email, role, now });
      return { words: done === 'changed' ? `The account now has the role ${role}.` : `The account already has the role ${role}.` };
    };
  },
  'withdraw-role': (args) => {
    const [email, role] = operandsOf('withdraw-role', ['EMAIL', 'ROLE'], args);
    return async (em, now) => {
      const done = await withdrawRole(em, { actor, email, role, now });
      return { words: done === 'changed' ? `The account no longer has the role ${role}.` : `The account does not have the role ${role}.` };
    };
  },
  'lock-account': (args) => {
    const [email, reason] = operandsOf('lock-account', ['EMAIL', 'REASON'], args);
    return async (em, now) => {
      const done = await lockAccount(em, { actor, email, reason, now });
      return { words: done === 'changed' ? 'The account is now locked.' : 'The account is already locked.' };
    };
  },
  'unlock-account': (args) => {
    const [email, reason] = operandsOf('unlock-account', ['EMAIL', 'REASON'], args);
    return async (em, now) => {
      const done = await unlockAccount(em, { actor, email, reason, now });
      return { words: done === 'changed' ? 'The account is now unlocked.' : 'The account is not locked.' };
    };
  },
  'close-account': (args) => {
    const [operands, count] = countOf('close-account', args);
    const [email, reason] = operandsOf('close-account', ['EMAIL', 'REASON'], operands);
    return (em, now) =>
      onceAgreed(count, async (agree) => {
        const { operatorId } = await closeAccount(em, { email, reason, actor, now, agree: (closing) => agree(closingLoss(closing)) });
        return { words: `${operatorId} is closed.` };
      });
  },
  'import-crl': (args) => {
    const [operands, count] = countOf('import-crl', args);
    const [file] = operandsOf('import-crl', ['FILE'], operands);
    const importing = async (em: EntityManager, now: Date, agree: Agree) => {
      const bytes = await readFile(file).catch(() => Promise.reject(new Error('The file cannot be read.')));
      const { authorityId, number, nextUpdate, authorities } = await importCrl(em, {
        actor,
        file: bytes,
        now,
        agree: (untrusted) => agree(untrustedLoss(untrusted)),
      });
      const published = `The revocation list of ${authorityId} with the number ${number} is published. Import the next one before ${nextUpdate.toISOString()}.`;
      const revoked = `It revokes ${authorities.join(', ')}: the service does not trust that any more, and every certificate that it had issued is revoked (docs/operating/keys.md, “Revocation lists”).`;
      return { words: authorities.length === 0 ? published : `${published} ${revoked}` };
    };
    return (em, now) => onceAgreed(count, (agree) => importing(em, now, agree));
  },
  'reset-feeds': (args) => {
    const [operands, count] = countOf('reset-feeds', args);
    operandsOf('reset-feeds', [], operands);
    const words = (feeds: number) =>
      `Feeds that would be reset: ${feeds}. Every cursor would be invalid, and every client would start a recovery sync.`;
    return (em, now) =>
      onceAgreed(count, async (agree) => {
        const feeds = await resetFeeds(em, { actor, now, agree: (all) => agree({ count: all, words: words(all) }) });
        return { words: `Feeds reset: ${feeds}.` };
      });
  },
};

function untrustedLoss({ authorities, certificates }: { readonly authorities: readonly string[]; readonly certificates: number }): Loss {
  const words = `The list revokes ${authorities.join(', ')}. The service would not trust that any more, and would revoke the ${certificates} certificates that it has issued or is about to issue.`;
  return { count: authorities.length + certificates, words };
}

function closingLoss({ operatorId, integrations, retires, undeleted }: AccountClosing): Loss {
  const slugs = (list: AccountClosing['retires']) => list.map(({ slug }) => slug).join(', ');
  const retired =
    integrations === 0 ? 'it has no integrations' : `retired would be ${counted(integrations, 'integration')} (${slugs(retires)})`;
  const open =
    undeleted.length === 0
      ? ''
      : ` Of ${slugs(undeleted)}, nobody has recorded that users’ production data is deleted; that would stay outstanding.`;
  return {
    count: integrations + 1,
    words: `The account ${operatorId} would lose its address, passkeys, codes and sessions for good; ${retired}.${open}`,
  };
}

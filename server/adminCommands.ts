import { operandsOf, optionsOf, terminal as actor, UsageError, type AdminCommand, type CommandParsers } from './commandArguments.ts';
import { createServiceToken } from './domain/access/createServiceToken.ts';
import { grantRole } from './domain/access/grantRole.ts';
import { revokeServiceToken } from './domain/access/revokeServiceToken.ts';
import { withdrawRole } from './domain/access/withdrawRole.ts';
import { lockAccount, unlockAccount } from './domain/account/lockAccount.ts';
import { resetFeeds } from './domain/feed/resetFeeds.ts';
import { integrationCommands, integrationUsage } from './integrationCommands.ts';

export const usage = `npm run admin -- <command>

  create-service-token --name NAME --environment sandbox|production --permissions A,B [--expires-in-days N]
                                  prints the token, this once; it ends after 365 days at the latest
  revoke-service-token ID         ends it at once
  grant-role EMAIL ROLE           reviewer or administrator
  withdraw-role EMAIL ROLE
  lock-account EMAIL REASON       ends its sessions, and nobody signs in to it; its owner is mailed the reason
  unlock-account EMAIL REASON
  reset-feeds                     after a restore that may have lost commits: every client starts a recovery sync
${integrationUsage}`;

/** The command that the arguments name. Throws UsageError; nothing has been done then. */
export function adminCommand([name = '', ...args]: readonly string[]): AdminCommand {
  const parse = Object.hasOwn(parsers, name) ? parsers[name] : undefined;
  if (!parse) throw new UsageError(name === '' ? 'Name a command.' : `There is no command ${name}.`);
  return parse(args);
}

const parsers: CommandParsers = {
  ...integrationCommands,
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
        words: `${id} (${serviceToken.environment}) is good until ${expiresAt.toISOString()}. Its text is shown this once.`,
      };
    };
  },
  'revoke-service-token': (args) => {
    const [serviceTokenId] = operandsOf('revoke-service-token', ['ID'], args);
    return async (em, now) => {
      const { id, revokedAt } = await revokeServiceToken(em, { actor, serviceTokenId, now });
      return { words: `${id} is revoked since ${revokedAt?.toISOString()}.` };
    };
  },
  'grant-role': (args) => {
    const [email, role] = operandsOf('grant-role', ['EMAIL', 'ROLE'], args);
    return async (em, now) => {
      const done = await grantRole(em, { actor, email, role, now });
      return { words: done === 'changed' ? `The account has the role ${role} now.` : `The account has the role ${role} already.` };
    };
  },
  'withdraw-role': (args) => {
    const [email, role] = operandsOf('withdraw-role', ['EMAIL', 'ROLE'], args);
    return async (em, now) => {
      const done = await withdrawRole(em, { actor, email, role, now });
      return { words: done === 'changed' ? `The account is without the role ${role} now.` : `The account has not had the role ${role}.` };
    };
  },
  'lock-account': (args) => {
    const [email, reason] = operandsOf('lock-account', ['EMAIL', 'REASON'], args);
    return async (em, now) => {
      const done = await lockAccount(em, { actor, email, reason, now });
      return { words: done === 'changed' ? 'The account is locked now.' : 'The account is locked already.' };
    };
  },
  'unlock-account': (args) => {
    const [email, reason] = operandsOf('unlock-account', ['EMAIL', 'REASON'], args);
    return async (em, now) => {
      const done = await unlockAccount(em, { actor, email, reason, now });
      return { words: done === 'changed' ? 'The account is unlocked now.' : 'The account is not locked.' };
    };
  },
  'reset-feeds': (args) => {
    operandsOf('reset-feeds', [], args);
    return async (em, now) => ({ words: `Feeds that start anew: ${await resetFeeds(em, { actor, now })}.` });
  },
};

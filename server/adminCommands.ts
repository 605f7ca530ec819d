import { parseArgs } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import { createServiceToken } from './domain/access/createServiceToken.ts';
import { grantRole } from './domain/access/grantRole.ts';
import { revokeServiceToken } from './domain/access/revokeServiceToken.ts';
import { withdrawRole } from './domain/access/withdrawRole.ts';
import { resetFeeds } from './domain/feed/resetFeeds.ts';
import type { Actor } from './domain/shared/actor.ts';

/** Whoever can run commands on the server's own terminal. */
const actor: Actor = { type: 'system', name: 'terminal' };

/** What a command leaves: a result for programs, words for people. */
export type Outcome = { readonly result?: string; readonly words: string };
/** A command whose arguments have been understood. */
export type AdminCommand = (em: EntityManager, now: Date) => Promise<Outcome>;

/** The arguments do not fit any command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export const usage = `npm run admin -- <command>

  create-service-token --name NAME --environment sandbox|production --permissions A,B [--expires-in-days N]
                                  prints the token, this once; it ends after 365 days at the latest
  revoke-service-token ID         ends it at once
  grant-role EMAIL ROLE           reviewer or administrator
  withdraw-role EMAIL ROLE
  reset-feeds                     after a restore that may have lost commits: every client starts a recovery sync
`;

/** The command that the arguments name. Throws UsageError; nothing has been done then. */
export function adminCommand([name = '', ...args]: readonly string[]): AdminCommand {
  const parse = Object.hasOwn(parsers, name) ? parsers[name] : undefined;
  if (!parse) throw new UsageError(name === '' ? 'Name a command.' : `There is no command ${name}.`);
  return parse(args);
}

const parsers: Readonly<Record<string, (args: readonly string[]) => AdminCommand>> = {
  'create-service-token': (args) => {
    const { name, environment, permissions, 'expires-in-days': days } = optionsOf(args);
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
  'reset-feeds': (args) => {
    operandsOf('reset-feeds', [], args);
    return async (em, now) => ({ words: `Feeds that start anew: ${await resetFeeds(em, { actor, now })}.` });
  },
};

function optionsOf(args: readonly string[]) {
  const text = { type: 'string' } as const;
  try {
    return parseArgs({ args: [...args], options: { name: text, environment: text, permissions: text, 'expires-in-days': text } }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Exactly the operands that are named; none of them is repeated in a message, because one can be an address. */
function operandsOf<const Names extends readonly string[]>(
  command: string,
  names: Names,
  args: readonly string[],
): { [Index in keyof Names]: string } {
  if (args.length !== names.length || args.some((arg) => arg.startsWith('-') || arg === '')) {
    throw new UsageError(`${command} takes ${names.length === 0 ? 'no arguments' : names.join(' and ')}.`);
  }
  return [...args] as { [Index in keyof Names]: string };
}

import { parseArgs } from 'node:util';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Config } from './config/config.ts';
import type { Actor } from './domain/shared/actor.ts';

/** Anyone who can run commands on the server's own terminal. */
export const terminal: Actor = { type: 'system', name: 'terminal' };

/** What a command leaves: a result for programs, and words for people. `undone`: it has only shown what it would do. */
export type Outcome = { readonly result?: string; readonly words: string; readonly undone?: true };
/** A command whose arguments have been understood. */
export type AdminCommand = (em: EntityManager, now: Date, config: Config) => Promise<Outcome>;
/** Commands by name, each with the function that reads its arguments. */
export type CommandParsers = Readonly<Record<string, (args: readonly string[]) => AdminCommand>>;

/** The arguments do not fit any command. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Reads the named options, each given at most once. Throws UsageError if there are other options, or operands. */
export function optionsOf<const Name extends string>(
  names: readonly Name[],
  args: readonly string[],
): { readonly [Each in Name]?: string } {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' } as const]));
  try {
    return parseArgs({ args: [...args], options }).values as { readonly [Each in Name]?: string };
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** As `optionsOf`, but each option in `required` must be given. */
export function requiredOptionsOf<const Required extends string, const Optional extends string = never>(
  command: string,
  { required, optional = [] }: { readonly required: readonly Required[]; readonly optional?: readonly Optional[] },
  args: readonly string[],
): { readonly [Each in Required]: string } & { readonly [Each in Optional]?: string } {
  const values = optionsOf<string>([...required, ...optional], args);
  const missing = required.filter((name) => values[name] === undefined);
  if (missing.length > 0) throw new UsageError(`${command} needs ${missing.map((name) => `--${name}`).join(', ')}.`);
  return values as { readonly [Each in Required]: string } & { readonly [Each in Optional]?: string };
}

/** Reads exactly the named operands. No message repeats one, because it may be an address. */
export function operandsOf<const Names extends readonly string[]>(
  command: string,
  names: Names,
  args: readonly string[],
): { [Index in keyof Names]: string } {
  if (args.length !== names.length || args.some((arg) => arg.startsWith('-') || arg === '')) {
    throw new UsageError(`${command} takes ${names.length === 0 ? 'no arguments' : names.join(' and ')}.`);
  }
  return [...args] as { [Index in keyof Names]: string };
}

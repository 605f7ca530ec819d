import { parseArgs } from 'node:util';
import { KitError, Problem, RateLimited } from '../client/errors.ts';
import { version } from '../client/version.ts';
import { checkWebhook, recordedForm } from './checkWebhook.ts';
import { installCertificate, makeRequest, renew } from './certificateCommands.ts';
import { Context, type Surroundings } from './context.ts';
import { deletions, sync } from './copyCommands.ts';
import { copyVectors, newBackEnd } from './copyOut.ts';
import { doctor } from './doctor.ts';
import { init } from './init.ts';
import { capabilities, get, history, redeem, statistics } from './readCommands.ts';

type Command = { readonly usage: string; readonly does: string; readonly run: (context: Context) => Promise<number | void> };

const commands: Readonly<Record<string, Command>> = {
  init: {
    usage: '--base-url URL --portal-url URL [--environment sandbox|production] [--cert FILE] [--key FILE] [--ca FILE]',
    does: 'writes svc.json',
    run: init,
  },
  csr: { usage: 'COMMON_NAME', does: 'makes a key and a certificate request', run: makeRequest },
  'cert install': { usage: 'FILE', does: 'checks a certificate and puts it beside its key', run: installCertificate },
  renew: { usage: '[--print-timer]', does: 'renews the certificate when it is due, or says how a machine does it by itself', run: renew },
  doctor: { usage: '', does: 'finds out what is wrong, and says the next step', run: doctor },
  capabilities: { usage: '', does: 'who this client is and what it may do', run: capabilities },
  get: { usage: 'ID', does: 'one order or vehicle', run: get },
  history: { usage: 'ID', does: 'its changes', run: history },
  statistics: { usage: '', does: 'the latest generation', run: statistics },
  redeem: { usage: '', does: 'redeems the link code that is typed or piped in', run: redeem },
  sync: { usage: '--into FILE [--recover] [--watch]', does: 'brings a copy in SQLite up to date', run: sync },
  deletions: { usage: '--into FILE', does: 'what is to be deleted', run: deletions },
  'deletions ack': { usage: 'REV_ID... --into FILE', does: 'acknowledges what you have deleted', run: deletions },
  'webhook verify': { usage: 'FILE', does: `judges a recorded delivery, ${recordedForm}`, run: checkWebhook },
  new: { usage: 'DIR', does: 'writes a complete back end to begin with', run: newBackEnd },
  vectors: { usage: 'DIR', does: 'writes deliveries, syncs and requests that your own code can be tested with', run: copyVectors },
};

/** What the process ends with. */
export const exitCodes = {
  done: 0,
  fault: 1,
  usage: 2,
  unusable: 3,
  refused: 4,
  rateLimited: 5,
  unreachable: 6,
  unexpected: 7,
  found: 8,
} as const;

const options = {
  'base-url': { type: 'string' },
  'portal-url': { type: 'string' },
  environment: { type: 'string' },
  cert: { type: 'string' },
  key: { type: 'string' },
  ca: { type: 'string' },
  into: { type: 'string' },
  recover: { type: 'boolean' },
  watch: { type: 'boolean' },
  'print-timer': { type: 'boolean' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
  version: { type: 'boolean' },
} as const;

/** Runs one command. Returns the exit code. */
export async function main(args: readonly string[], surroundings: Surroundings, signal: AbortSignal): Promise<number> {
  const wantsJson = args.includes('--json');
  try {
    const { values, positionals } = readArguments(args);
    if (values.version) {
      surroundings.stdout.write(`${version}\n`);
      return exitCodes.done;
    }
    const name = [positionals.slice(0, 2).join(' '), positionals[0] ?? ''].find((each) => Object.hasOwn(commands, each));
    const command = name === undefined ? undefined : commands[name];
    if (values.help || (name === undefined && positionals.length === 0)) {
      surroundings.stdout.write(help(name ?? positionals[0]));
      return values.help ? exitCodes.done : exitCodes.usage;
    }
    if (!command || name === undefined) throw new KitError('usage', `There is no command “${positionals.join(' ')}”.`);
    const context = new Context(surroundings, positionals.slice(name.split(' ').length), values, signal);
    try {
      return (await command.run(context)) ?? exitCodes.done;
    } finally {
      context.close();
    }
  } catch (error) {
    if (signal.aborted) return exitCodes.fault;
    surroundings.stderr.write(`${wantsJson ? JSON.stringify(recordOf(error)) : messageOf(error)}\n`);
    return exitCodeOf(error);
  }
}

function readArguments(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (cause) {
    throw new KitError('usage', (cause as Error).message, { cause });
  }
}

/** Of a command, its own lines and those of the ones that begin with it; of none, all. */
function help(named?: string): string {
  const asked = Object.entries(commands).filter(([name]) => name === named || name.startsWith(`${named} `));
  const lines = (asked.length > 0 ? asked : Object.entries(commands)).map(
    ([name, { usage, does }]) => `  ${`svc ${name} ${usage}`.trimEnd().padEnd(48)} ${does}\n`,
  );
  return `svc ${version}: an operator’s tools for the order-tracking service. --json prints a line of JSON for each result.\n\n${lines.join('')}`;
}

/** What a next step refers to. */
const factNames = ['revocation_id', 'deletion_deadline_at', 'required_scopes', 'missing_in', 'renewable_from', 'errors'] as const;
const factsOf = (error: unknown) =>
  error instanceof Problem
    ? factNames.flatMap((name) => (error.details[name] === undefined ? [] : [[name, error.details[name]] as const]))
    : [];

const messageOf = (error: unknown): string => {
  const facts = factsOf(error).map(([name, value]) => `\n  ${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
  return [error instanceof KitError ? error.message : String(error), ...facts].join('');
};
const recordOf = (error: unknown): object => {
  if (!(error instanceof KitError)) return { code: 'fault', message: String(error) };
  const { code, message, requestId, nextStep } = error;
  return { code, message, requestId, nextStep, ...Object.fromEntries(factsOf(error)) };
};

function exitCodeOf(error: unknown): number {
  if (error instanceof RateLimited) return exitCodes.rateLimited;
  if (error instanceof Problem) return error.status === 429 ? exitCodes.rateLimited : exitCodes.refused;
  if (!(error instanceof KitError)) return exitCodes.fault;
  const byCode: Readonly<Record<string, number>> = {
    usage: exitCodes.usage,
    invalid_argument: exitCodes.usage,
    settings_unusable: exitCodes.unusable,
    credentials_unusable: exitCodes.unusable,
    other_client: exitCodes.unusable,
    unreachable: exitCodes.unreachable,
    unexpected_answer: exitCodes.unexpected,
    not_as_expected: exitCodes.unexpected,
  };
  return byCode[error.code] ?? exitCodes.fault;
}

import { nearest } from './config/nearest.ts';
import { build } from './platform/build.ts';

type Program = () => Promise<unknown>;

/** What `oi start` starts. Each is a program of its own, which reads its variables, serves and ends with a signal. */
const processes: Readonly<Record<string, Program>> = {
  portal: () => import('./main.ts'),
  'machine-api': () => import('../rest-api/main.ts'),
  workers: () => import('../workers/main.ts'),
};

const commands: Readonly<Record<string, Program>> = {
  migrate: () => import('./migrate.ts'),
  admin: () => import('./admin.ts'),
  smoke: () => import('../demo/smoke/main.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  doctor: () => import('./doctor.ts'),
};

const usage = `oi [--settings FILE] <command>

  start [portal|machine-api|workers]
                     runs one kind of process, or all in one process if none is named; a signal stops it
  migrate            brings the schema of the database up to date; needs MIGRATION_DATABASE_URL
  admin <command>    runs a terminal command beside a running service: accounts, roles, gates, tokens, keys, authorities
  smoke              checks a running service with one client's certificate; changes nothing
  backup             takes a backup of the database in DATA_DIR now, as oi start does each day
  backup FILE        writes a consistent copy of another database to a new file, by pg_dump; needs MIGRATION_DATABASE_URL
  restore FOLDER     makes the database in DATA_DIR from such a backup
  doctor [process]   looks at settings, certificates, database, mail server, ports and disk; names what is wrong, with its remedy
  version            prints the version and the commit that it was built from
  help               prints this; admin, smoke, backup, restore and doctor have a --help of their own

--settings FILE reads the variables that are not set from a file of lines NAME=value.
`;

/**
 * `oi`: everything that runs on a server, by one name. Exits with 2 for a command that there is not; otherwise with what the command says, mostly 0
 * for done, 1 for refused or failed and 2 for wrong arguments.
 */
async function main(given: readonly string[]): Promise<void> {
  const [command = '', ...args] = given[0] === '--settings' ? given.slice(2) : given;
  if (given[0] === '--settings' && !readSettings(given[1] ?? '')) return;
  if (command === 'help' || command === '--help' || command === '-h') return void process.stdout.write(usage);
  if (command === 'version' || command === '--version')
    return void process.stdout.write(`operator-integration-service ${build.version} (commit ${build.commit ?? 'unknown'})\n`);
  if (command === 'start') return start(args);
  const program = Object.hasOwn(commands, command) ? commands[command] : undefined;
  if (!program) return refuse('command', command, [...Object.keys(commands), 'start', 'version', 'help']);
  await run(program, args);
}

function readSettings(file: string): boolean {
  try {
    process.loadEnvFile(file);
    return true;
  } catch (error) {
    tell(`The file of settings ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
    return false;
  }
}

async function start([name, ...rest]: readonly string[]): Promise<void> {
  if (rest.some((each) => each !== '--version')) return tell('start takes one process.');
  if (name === undefined || name === '--version') return run(() => import('./start.ts'), name === undefined ? [] : [name]);
  const program = Object.hasOwn(processes, name) ? processes[name] : undefined;
  if (!program) return refuse('process', name, Object.keys(processes));
  await run(program, rest);
}

/** Each program reads its arguments as if it had been started by itself. */
async function run(program: Program, args: readonly string[]): Promise<void> {
  process.argv.splice(2, Infinity, ...args);
  await program();
}

function refuse(kind: 'command' | 'process', name: string, known: readonly string[]): void {
  const meant = nearest(name, known);
  tell(name === '' ? `Give a ${kind}.` : `There is no ${kind} named ${name}.${meant === undefined ? '' : ` Is ${meant} meant?`}`);
}

function tell(words: string): void {
  process.stderr.write(`${words}\n\n${usage}`);
  process.exitCode = 2;
}

await main(process.argv.slice(2));

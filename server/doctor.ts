import type { ProcessRole } from './config/config.ts';
import { nearest } from './config/nearest.ts';
import { examine, type Examination } from './doctor/examine.ts';
import { systemClock } from './platform/clock.ts';
import { answerVersion, build } from './platform/build.ts';

const usage = `oi doctor [portal|machine-api|workers] [--json]

Looks at the settings in the environment, and at what they lead to: certificates, database, keys, mail server, ports, disk, clock, backups, revocation lists and jobs.
Names what is missing or wrong, each with its remedy. It is for everything in one process (oi start), or for the process that is named. It changes nothing.
Exits with 0 if nothing is wrong, 1 if something is, 2 for wrong arguments.
`;

const processes = ['portal', 'machine-api', 'workers'] as const satisfies readonly ProcessRole[];

async function main(args: readonly string[]): Promise<number> {
  answerVersion(args);
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usage);
    return 0;
  }
  const [name, ...rest] = args.filter((arg) => arg !== '--json');
  const role = name === undefined ? 'service' : processes.find((each) => each === name);
  if (role === undefined || rest.length > 0) {
    const meant = name === undefined ? undefined : nearest(name, processes);
    process.stderr.write(`doctor takes one process at most.${meant === undefined ? '' : ` Is ${meant} meant?`}\n\n${usage}`);
    return 2;
  }
  const examination = await examine({ role, env: process.env, clock: systemClock });
  process.stdout.write(args.includes('--json') ? `${JSON.stringify({ version: build.version, ...examination })}\n` : wordsOf(examination));
  return examination.findings.some(({ severity }) => severity === 'wrong') ? 1 : 0;
}

function wordsOf({ findings, skipped }: Examination): string {
  const told = findings.map(
    ({ severity, check, words, remedy }) => `${severity === 'wrong' ? 'WRONG  ' : 'warning'}  ${check}\n  ${words}\n  → ${remedy}\n\n`,
  );
  const unseen = skipped.map(({ check, reason }) => `not seen  ${check}: ${reason}\n`);
  const count = (severity: string) => findings.filter((finding) => finding.severity === severity).length;
  const sum = findings.length === 0 ? 'Nothing is wrong.' : `${count('wrong')} wrong, ${count('warning')} to look at.`;
  return [...told, ...unseen, `${sum}\n`].join('');
}

process.exitCode = await main(process.argv.slice(2));

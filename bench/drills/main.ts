import { runFailover } from './failover.ts';
import { runFigures } from './figures.ts';
import { runMigrate } from './migrate.ts';
import { runReadOnly } from './readOnly.ts';
import { runRollingRestart } from './rollingRestart.ts';
import { runSoak } from './soak.ts';
import { runUpgrade } from './upgrade.ts';

/**
 * `npm run drill -- NAME [--quick] [--shipped]`: what must hold of an installation while it is restarted, loses its database and is migrated. Prints what it saw,
 * and exits with 1 if a promise is broken. docs/operating.md says what each drill shows.
 */
const drills = {
  'rolling-restart': runRollingRestart,
  failover: runFailover,
  'read-only': runReadOnly,
  migrate: runMigrate,
  upgrade: runUpgrade,
  soak: runSoak,
  figures: runFigures,
} as const;

const options = process.argv.slice(2);
const wanted = options.filter((option) => !option.startsWith('--'));
const unknown = wanted.filter((name) => !Object.hasOwn(drills, name));
if (wanted.length === 0 || unknown.length > 0) {
  console.error(`npm run drill -- NAME [--quick] [--shipped]\n\nThe drills are ${Object.keys(drills).join(', ')}.`);
  process.exit(2);
}
for (const name of wanted as (keyof typeof drills)[]) {
  console.log(`\n${name}`);
  const faults = await drills[name](options.includes('--quick'));
  for (const fault of faults.slice(0, 20)) console.error(`  FAULT: ${fault}`);
  if (faults.length > 20) console.error(`  and ${faults.length - 20} more`);
  console.log(faults.length === 0 ? '  held' : '  BROKEN');
  if (faults.length > 0) process.exitCode = 1;
}
// A socket to a server that was killed may linger, and there is nothing left to wait for.
process.exit();

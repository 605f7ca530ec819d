import { runFairnessDrill } from './fairnessDrill.ts';
import { runLossDrill } from './lossDrill.ts';
import { writeWebhookPlans } from './plans.ts';
import { runRevocationDrill } from './revocationDrill.ts';

/**
 * `npm run bench:webhooks -- [lost|fairness|revocation|plans] [--quick]`: what must hold of deliveries while processes are killed, receivers
 * hang and access ends, and how the statements read at size. Exits with 1 if it does not.
 */
const drills = { lost: runLossDrill, fairness: runFairnessDrill, revocation: runRevocationDrill, plans: writeWebhookPlans } as const;
const options = process.argv.slice(2);
const wanted = options.find((option) => !option.startsWith('--'));
const quick = options.includes('--quick');
for (const [name, run] of Object.entries(drills)) {
  if (wanted !== undefined && name !== wanted) continue;
  console.log(`\n${name}`);
  const faults = await run(quick);
  for (const fault of faults) console.error(`  FAULT: ${fault}`);
  if (faults.length > 0) process.exitCode = 1;
}

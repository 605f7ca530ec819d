import { availableParallelism, cpus } from 'node:os';
import { performance } from 'node:perf_hooks';
import { measureAdmission } from './admission.ts';
import { measureCertificates } from './certificates/certificates.ts';
import { measureCorpusLoad } from './corpusLoad.ts';
import { measureHostile } from './hostile/hostile.ts';
import { copiedFeed, measureKit } from './kit/copySpeed.ts';
import { type Effort, isMet, type Result, table } from './measure.ts';
import { measureAnswers, measurePages } from './pages.ts';
import { measureWebhooks } from './webhooks/webhooks.ts';
import { emptyFeeds, fullFeeds, integrations, World } from './world.ts';

type Section = { readonly measure: (world: World, effort: Effort) => Promise<Result[]>; readonly feeds: readonly number[] };

/**
 * Measures ratios, most of them of rates, each within one run on one machine. docs/performance.md explains them and says what was found.
 * `npm run bench -- [--quick] [section]`.
 */
const sections: Record<string, Section> = {
  pages: { measure: measurePages, feeds: fullFeeds },
  answers: { measure: measureAnswers, feeds: fullFeeds },
  admission: { measure: measureAdmission, feeds: emptyFeeds },
  corpus: { measure: measureCorpusLoad, feeds: [] },
  certificates: { measure: measureCertificates, feeds: [] },
  webhooks: { measure: measureWebhooks, feeds: Array.from({ length: integrations }, () => 50) },
  hostile: { measure: measureHostile, feeds: [0] },
  kit: { measure: measureKit, feeds: copiedFeed },
};

const full: Effort = { rounds: 5, milliseconds: 1_500 };
const quick: Effort = { rounds: 3, milliseconds: 500 };

const options = process.argv.slice(2);
const wanted = options.find((option) => !option.startsWith('--'));
if (wanted !== undefined && !(wanted in sections)) {
  console.error(`There is no section ${wanted}; there are ${Object.keys(sections).join(', ')}.`);
  process.exit(2);
}
const effort = options.includes('--quick') ? quick : full;
const startedAt = performance.now();
const results: Result[] = [];
for (const [name, { measure, feeds }] of Object.entries(sections)) {
  if (wanted !== undefined && name !== wanted) continue;
  // Each section has a world of its own, so that none has to bear what another leaves behind.
  const world = await World.open(feeds);
  try {
    const measured = await measure(world, effort);
    console.log(`\n${name}\n${table(measured)}`);
    results.push(...measured);
  } finally {
    await world.close();
  }
}
const missed = results.filter((result) => !isMet(result));
console.log(
  `\n\nAll, in ${((performance.now() - startedAt) / 60_000).toFixed(1)} minutes: medians of ${effort.rounds} alternating runs of ${effort.milliseconds / 1000} s; ` +
    `Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model.trim() ?? 'CPU'}; load generator, servers and database share them.\n`,
);
console.log(table(results));
console.log(missed.length === 0 ? '\nEvery target is met.' : `\n${missed.length} missed.`);
if (missed.length > 0) process.exitCode = 1;

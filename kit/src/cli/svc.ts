#!/usr/bin/env node
import '../runtime.ts';

// Loaded once the version is known to do: an older one would stop at what it lacks, without saying why.
const { main } = await import('./main.ts');

// Ends after the page that is being committed. A second signal ends it at once.
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
const { stdin, stdout, stderr } = process;
process.exitCode = await main(process.argv.slice(2), { folder: process.cwd(), stdin, stdout, stderr }, stopping.signal);

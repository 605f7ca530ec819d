#!/usr/bin/env node
import '../runtime.ts';
import { main } from './main.ts';

// Ends after the page that is being committed. A second signal ends it at once.
const stopping = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
const { stdin, stdout, stderr } = process;
process.exitCode = await main(process.argv.slice(2), { folder: process.cwd(), stdin, stdout, stderr }, stopping.signal);

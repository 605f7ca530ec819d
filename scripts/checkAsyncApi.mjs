import { fileURLToPath } from 'node:url';
import { fromFile, Parser } from '@asyncapi/parser';

/** Checks the description of the webhooks with the official parser. Warnings and hints fail as well. */
const path = fileURLToPath(new URL('../rest-api/contract/asyncapi.yaml', import.meta.url));
const { document, diagnostics } = await fromFile(new Parser(), path).parse();
for (const { code, message, path: where } of diagnostics) process.stdout.write(`${where.join('.')}: ${message} (${code})\n`);
if (!document || diagnostics.length > 0) process.exitCode = 1;

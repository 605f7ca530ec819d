import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runDemo } from './runDemo.ts';

const usage = `npm run demo -- [--portal URL] [--out DIR] [--scopes LIST] [--receiver-tls DIR]

  --portal URL    the address of a running portal (default: http://localhost:3000)
  --out DIR       the folder for the files (default: .data/demo)
  --scopes LIST   scopes separated by commas, such as orders.read,shipping.read (default: all)
  --receiver-tls DIR
                  the folder in which the service has left receiver.pem and receiver.key (default: .data/tls)
`;

/** `npm run demo`: exits with 0 if everything went as expected, 1 after a surprise, 2 for wrong arguments. */
async function main(): Promise<number> {
  let values;
  try {
    ({ values } = parseArgs({
      options: {
        portal: { type: 'string', default: 'http://localhost:3000' },
        out: { type: 'string', default: '.data/demo' },
        scopes: { type: 'string' },
        'receiver-tls': { type: 'string', default: '.data/tls' },
        help: { type: 'boolean', short: 'h' },
      },
    }));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return 2;
  }
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const scopes = values.scopes
    ?.split(',')
    .map((scope) => scope.trim())
    .filter(Boolean);
  try {
    const webhooks = { tlsFolder: resolve(values['receiver-tls']), port: 9443 };
    await runDemo({ portal: values.portal, out: values.out, scopes, webhooks, print: (line) => process.stdout.write(`${line}\n`) });
    return 0;
  } catch (error) {
    process.stderr.write(`\nStopped at: ${error instanceof Error ? error.message : String(error)}\n`);
    return 1;
  }
}

process.exitCode = await main();

import { readFile } from 'node:fs/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { parseArgs } from 'node:util';
import { Surprise } from '../Surprise.ts';
import { runSmoke, type SmokeOptions } from './runSmoke.ts';

const usage = `oi smoke --api URL --cert FILE --key FILE [--ca FILE] [--portal URL] [--pages N]

  --api URL       the address of the machine API, such as https://api.example.com
  --cert FILE     a client's certificate with its chain, as the portal offers it (PEM)
  --key FILE      its private key (PEM)
  --ca FILE       the authority of the certificates of the API and the portal, if it is no public one (PEM)
  --portal URL    the address of the portal: also asks whether it is ready, and for the keys of signed deliveries
  --pages N       how many pages of the feed to read at most (default: 10)

Changes nothing. Each line that asks the machine API counts towards the client's quota, and is in its request log.
`;

/** `oi smoke`: exits with 0 if the service answers as it should, 1 after a surprise, 2 for wrong arguments. */
async function main(): Promise<number> {
  let options: SmokeOptions;
  try {
    const { values } = parseArgs({
      options: {
        api: { type: 'string' },
        cert: { type: 'string' },
        key: { type: 'string' },
        ca: { type: 'string' },
        portal: { type: 'string' },
        pages: { type: 'string', default: '10' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    if (values.help === true) {
      process.stdout.write(usage);
      return 0;
    }
    options = await optionsOf(values);
    if (options.ca !== undefined) setDefaultCACertificates([...getCACertificates('default'), options.ca]);
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return 2;
  }
  try {
    await runSmoke(options);
    return 0;
  } catch (error) {
    if (!(error instanceof Surprise)) throw error;
    process.stderr.write(`\nStopped at: ${error.message}\n`);
    return 1;
  }
}

async function optionsOf(values: Readonly<Record<string, string | boolean | undefined>>): Promise<SmokeOptions> {
  const { api, cert, key, ca, portal, pages } = values as Readonly<Record<string, string | undefined>>;
  if (api === undefined || cert === undefined || key === undefined) throw new Error('Give --api, --cert and --key.');
  for (const [name, url] of Object.entries({ api, portal })) {
    if (url !== undefined && !URL.canParse(url)) throw new Error(`--${name} must be an address such as https://api.example.com.`);
  }
  if (!/^[1-9]\d{0,3}$/.test(pages ?? '')) throw new Error('--pages must be a number from 1 to 9999.');
  const text = (name: string, file: string) =>
    readFile(file, 'utf8').catch(() => Promise.reject(new Error(`--${name}: the file cannot be read.`)));
  return {
    api: new URL(api).origin,
    cert: await text('cert', cert),
    key: await text('key', key),
    ...(ca !== undefined && { ca: await text('ca', ca) }),
    ...(portal !== undefined && { portal: new URL(portal).origin }),
    pages: Number(pages),
    now: new Date(),
    print: (line) => process.stdout.write(`${line}\n`),
  };
}

process.exitCode = await main();

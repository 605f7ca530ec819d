import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KitError } from '../client/errors.ts';
import type { Context } from './context.ts';
import { settingsFile } from './settings.ts';

const ignored = ['client.key', '*.p12', '*.pairs/', '*.sqlite', '*.sqlite-*'];

/** Writes svc.json, and has git ignore keys and copies. Never writes over settings that are there. */
export async function init(context: Context): Promise<void> {
  const [baseUrl, portalUrl, environment = 'sandbox', ca] = ['base-url', 'portal-url', 'environment', 'ca'].map((name) =>
    context.flag(name),
  );
  if (!baseUrl?.startsWith('https://') || !portalUrl || !URL.canParse(portalUrl)) {
    throw new KitError('usage', 'Name --base-url (https) and --portal-url, as the integration’s page in the portal shows them.');
  }
  if (environment !== 'sandbox' && environment !== 'production') throw new KitError('usage', '--environment is sandbox or production.');
  const settings = { baseUrl, portalUrl, environment, cert: 'client.pem', key: 'client.key', ...(ca !== undefined && { ca }) };
  await writeFile(join(context.folder, settingsFile), `${JSON.stringify(settings, null, 2)}\n`, { flag: 'wx' }).catch((cause: unknown) => {
    throw new KitError('usage', `${settingsFile} is there already.`, { nextStep: 'Edit it, or remove it first.', cause });
  });
  const file = join(context.folder, '.gitignore');
  const before = await readFile(file, 'utf8').catch(() => '');
  const missing = ignored.filter((pattern) => !before.split('\n').includes(pattern));
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  if (missing.length > 0) await appendFile(file, `${gap}${missing.join('\n')}\n`);
  context.print(
    { written: settingsFile, ...settings },
    `${settingsFile} is written. Next: save client.pem and client.key here, or run \`svc csr\`, then \`svc doctor\`.`,
  );
}

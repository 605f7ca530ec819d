import { existsSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { KitError } from '../client/errors.ts';
import type { Context } from './context.ts';
import { pathOf, settingsFile, type Settings } from './settings.ts';

const flags = { baseUrl: 'base-url', portalUrl: 'portal-url', environment: 'environment', cert: 'cert', key: 'key', ca: 'ca' } as const;
const copies = ['*.p12', '*.pairs/', '*.sqlite', '*.sqlite-*', 'exports/'];

/** Writes svc.json, and has git ignore keys and copies. Of settings that are there already, it changes only what is named. */
export async function init(context: Context): Promise<void> {
  const named = Object.entries(flags).flatMap(([setting, flag]) =>
    context.flag(flag) === undefined ? [] : [[setting, context.flag(flag)]],
  );
  const defaults = { environment: 'sandbox', cert: 'client.pem', key: 'client.key' };
  const before = await settingsIn(context.folder);
  const settings = { ...defaults, ...before, ...(Object.fromEntries(named) as Partial<Settings>) };
  const { baseUrl, portalUrl, environment, cert, key } = settings;
  if (!baseUrl?.startsWith('https://') || !portalUrl || !URL.canParse(portalUrl)) {
    throw new KitError('usage', 'Name --base-url (https) and --portal-url, as the integration’s page in the portal shows them.');
  }
  if (environment !== 'sandbox' && environment !== 'production') throw new KitError('usage', '--environment is sandbox or production.');
  if (before.environment !== undefined && before.environment !== environment) {
    throw new KitError('usage', `The ${settingsFile} in this folder is for ${before.environment}, and is left as it is.`, {
      nextStep: `Give ${environment} a folder of its own, with its own key, settings and copy, or remove ${settingsFile} first.`,
    });
  }
  await writeFile(join(context.folder, settingsFile), `${JSON.stringify(settings, null, 2)}\n`);
  await ignore(context.folder, [key, ...copies]);
  const there = [cert, key].filter((file) => existsSync(pathOf(context.folder, file)));
  const first = there.length === 2 ? '' : `Save ${cert} and ${key} here, or run \`npx svc csr\`; then `;
  context.print({ written: settingsFile, ...settings }, `${settingsFile} is written. ${first}\`npx svc doctor\` checks it.`);
}

/** What svc.json says so far. */
async function settingsIn(folder: string): Promise<Partial<Settings>> {
  const text = await readFile(join(folder, settingsFile), 'utf8').catch(() => '{}');
  try {
    return JSON.parse(text) as Partial<Settings>;
  } catch (cause) {
    throw new KitError('usage', `${settingsFile} is there already, and is no JSON.`, { nextStep: 'Mend it, or remove it first.', cause });
  }
}

async function ignore(folder: string, patterns: readonly string[]): Promise<void> {
  const file = join(folder, '.gitignore');
  const before = await readFile(file, 'utf8').catch(() => '');
  const missing = patterns.filter((pattern) => !before.split('\n').includes(pattern));
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  if (missing.length > 0) await appendFile(file, `${gap}${missing.join('\n')}\n`);
}

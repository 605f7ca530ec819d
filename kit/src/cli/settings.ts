import { readFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { pemFiles, pfxFile, type Credentials } from '../client/credentials.ts';
import { KitError } from '../client/errors.ts';
import { OperatorClient } from '../client/OperatorClient.ts';
import type { Scope } from '../contract/contract.ts';

/** What svc.json says. Paths are relative to it. It names secrets, and holds none. */
export type Settings = {
  readonly baseUrl: string;
  readonly portalUrl: string;
  readonly environment: 'sandbox' | 'production';
  readonly scopes?: readonly Scope[];
  readonly cert?: string;
  readonly key?: string;
  readonly pfx?: string;
  /** The file with the package’s password. */
  readonly passphraseFile?: string;
  /** The authority of the servers’ certificates, PEM. */
  readonly ca?: string;
};

export const settingsFile = 'svc.json';

export async function readSettings(folder: string): Promise<Settings> {
  const text = await readFile(join(folder, settingsFile), 'utf8').catch((cause: unknown) => {
    throw new KitError('settings_unusable', `There is no ${settingsFile} in this folder.`, {
      nextStep: 'Run `npx svc init` first.',
      cause,
    });
  });
  try {
    const settings = JSON.parse(text) as Settings;
    if (new URL(settings.baseUrl).protocol === 'https:' && URL.canParse(settings.portalUrl)) return settings;
  } catch {
    // Refused below.
  }
  throw new KitError('settings_unusable', `${settingsFile} cannot be used.`, {
    nextStep: 'It is JSON with baseUrl (https), portalUrl and environment. `npx svc init` writes one.',
  });
}

/** A path of the settings. */
export const pathOf = (folder: string, path: string): string => (isAbsolute(path) ? path : join(folder, path));

export function credentialsOf(folder: string, { cert, key, pfx, passphraseFile }: Settings): Credentials {
  if (pfx !== undefined && passphraseFile !== undefined) {
    const file = pathOf(folder, passphraseFile);
    return pfxFile(pathOf(folder, pfx), async () => (await readFile(file, 'utf8')).trimEnd());
  }
  return pemFiles({ cert: pathOf(folder, cert ?? 'client.pem'), key: pathOf(folder, key ?? 'client.key') });
}

/** Reads a file that the caller or svc.json names. */
export async function readNamed(
  folder: string,
  path: string,
  facts: { readonly code?: string; readonly nextStep: string },
): Promise<string> {
  const { code = 'usage', nextStep } = facts;
  return readFile(pathOf(folder, path), 'utf8').catch((cause: NodeJS.ErrnoException) => {
    const what = cause.code === 'ENOENT' ? `There is no file ${path}.` : `${path} cannot be read (${cause.code}).`;
    throw new KitError(code, what, { nextStep, cause });
  });
}

export async function caOf(folder: string, { ca }: Settings): Promise<string | undefined> {
  const nextStep = 'Correct the path that `ca` has in svc.json.';
  return ca === undefined ? undefined : readNamed(folder, ca, { code: 'settings_unusable', nextStep });
}

export async function clientOf(folder: string, settings: Settings): Promise<OperatorClient> {
  const ca = await caOf(folder, settings);
  return new OperatorClient({
    baseUrl: settings.baseUrl,
    credentials: credentialsOf(folder, settings),
    expect: { environment: settings.environment, ...(settings.scopes && { scopes: settings.scopes }) },
    ...(ca !== undefined && { ca }),
  });
}

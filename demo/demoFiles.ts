import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** What mutual TLS needs, in PEM: the operator's key, the certificate with its chain, the machine API's authority. */
export type Credentials = { readonly key: string; readonly cert: string; readonly ca: string };

/** Where the demo's results are. */
export type DemoFiles = { readonly key: string; readonly cert: string; readonly ca: string; readonly facts: string };

/**
 * Writes the key (readable only by its owner) and the certificate under `keyName`, ca.pem and demo.json; makes the folder if it is missing.
 * A key from an earlier run is never overwritten: the name of the new one gets a number.
 */
export async function saveDemoFiles(folder: string, keyName: string, { key, cert, ca }: Credentials, facts: object): Promise<DemoFiles> {
  await mkdir(folder, { recursive: true });
  const at = (name: string) => join(resolve(folder), name);
  const name = await saveKey(at, keyName, key);
  const files = { key: at(`${name}.key`), cert: at(`${name}.pem`), ca: at('ca.pem'), facts: at('demo.json') };
  await writeFile(files.cert, cert);
  await writeFile(files.ca, ca);
  await writeFile(files.facts, `${JSON.stringify({ ...facts, key: files.key, certificate: files.cert, ca: files.ca }, null, 2)}\n`);
  return files;
}

/** Writes the files under the first name that is still free. */
async function saveKey(at: (name: string) => string, keyName: string, key: string): Promise<string> {
  for (let turn = 1; ; turn += 1) {
    const name = turn === 1 ? keyName : `${keyName}-${turn}`;
    try {
      await writeFile(at(`${name}.key`), key, { mode: 0o600, flag: 'wx' });
      return name;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

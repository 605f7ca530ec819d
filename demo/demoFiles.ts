import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** What mutual TLS needs, in PEM: the operator's key, the certificate with its chain, the machine API's authority. */
export type Credentials = { readonly key: string; readonly cert: string; readonly ca: string };

/** Where the demo's results lie. */
export type DemoFiles = { readonly key: string; readonly cert: string; readonly ca: string; readonly facts: string };

/** Writes client.key (readable by its owner alone), client.pem, ca.pem and demo.json; makes the folder when it is missing. */
export async function saveDemoFiles(folder: string, { key, cert, ca }: Credentials, facts: object): Promise<DemoFiles> {
  await mkdir(folder, { recursive: true });
  const at = (name: string) => join(resolve(folder), name);
  const files = { key: at('client.key'), cert: at('client.pem'), ca: at('ca.pem'), facts: at('demo.json') };
  await writeFile(files.key, key, { mode: 0o600 });
  // The mode above counts for a new file only; an older key may lie here with another.
  await chmod(files.key, 0o600);
  await writeFile(files.cert, cert);
  await writeFile(files.ca, ca);
  await writeFile(files.facts, `${JSON.stringify(facts, null, 2)}\n`);
  return files;
}

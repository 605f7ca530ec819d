import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createSecureContext } from 'node:tls';
import { KitError } from './errors.ts';

/** A certificate with its key, as it was read: the same object until the files have changed. */
export type Identity = {
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | { readonly pfx: Buffer; readonly passphrase: string };
};

/** Where certificate and key come from. They are read again when they change. */
export type Credentials = {
  /** The pair that new connections present. */
  current(): Promise<Identity>;
  /** The paths, of PEM files only: the ones that a renewal replaces. */
  readonly pem?: { readonly cert: string; readonly key: string };
};

/** A certificate with its chain, and its key, both PEM, in two files. */
export function pemFiles(pem: { readonly cert: string; readonly key: string }): Credentials {
  const read = async () => ({ cert: await readFile(pem.cert), key: await readFile(pem.key) });
  return { pem, current: rereading([pem.cert, pem.key], read) };
}

/** A P12 package. The passphrase comes from wherever the caller keeps secrets, and is asked for each time that the file has changed. */
export function pfxFile(file: string, passphrase: () => string | Promise<string>): Credentials {
  return { current: rereading([file], async () => ({ pfx: await readFile(file), passphrase: await passphrase() })) };
}

/** A pair that does not fit together, as while only one of two files has been replaced, is left until it does. */
function rereading(files: readonly string[], read: () => Promise<Identity['tls']>): () => Promise<Identity> {
  let held: { readonly identity: Identity; readonly seen: string } | undefined;
  const load = async () => {
    // Before each call, so at once: a thread of the pool would take ten times as long.
    const seen = files
      .map((file) => statSync(file))
      .map(({ ino, size, mtimeMs }) => [ino, size, mtimeMs])
      .join();
    if (held?.seen === seen) return held.identity;
    const tls = await read();
    createSecureContext(tls);
    held = { identity: { tls }, seen };
    return held.identity;
  };
  return () =>
    load().catch(async (cause: unknown) => {
      if (held) return held.identity;
      // A process that starts in the very moment of a renewal may have read one file before it and the other one after it.
      return load().catch(() => {
        throw new KitError('credentials_unusable', `${files.join(' and ')} cannot be used.`, { cause });
      });
    });
}

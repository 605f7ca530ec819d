/** Why there is no new certificate, beginning with the variable that it is about, and what to do about it. */
export type Failure = { readonly words: string; readonly remedy: string };

/** Something that is to be mended on this machine. No authority has refused, so none has to be left alone. */
export class LocalFault extends Error {
  override readonly name = 'LocalFault';
  readonly failure: Failure;

  constructor(failure: Failure, cause: unknown) {
    super(`${failure.words}. ${failure.remedy}`, { cause });
    this.failure = failure;
  }

  /** Takes an error apart that says what is wrong in its first sentence, and after that what to do. */
  static of(error: unknown, otherwise: string): LocalFault {
    const message = error instanceof Error ? error.message : String(error);
    const [, words = message, remedy = otherwise] = /^(.*?)[.]\s+(.*)$/s.exec(message) ?? [];
    return new LocalFault({ words, remedy }, error);
  }
}

const ofFolders: Readonly<Record<string, string>> = {
  EROFS:
    'It is read-only for the service, so its unit has to name it in ReadWritePaths: copy the unit of this release again (docs/operating/one-machine.md, “Upgrade”).',
  ENOSPC: 'Make room on its disk.',
};

/** Why a folder cannot be used for the certificate. */
export function failureOfFolder({ code = 'unknown' }: NodeJS.ErrnoException): Failure {
  return {
    words: `ACME_DIR: the folder cannot be used (${code})`,
    remedy: ofFolders[code] ?? 'Make it for the account that the service runs as: install -d -m 700 -o ACCOUNT FOLDER.',
  };
}

/** Waits for something that is done in the folder, and throws `LocalFault` if it fails. */
export async function inFolder<Result>(work: Promise<Result>): Promise<Result> {
  return work.catch((error: NodeJS.ErrnoException) => {
    throw new LocalFault(failureOfFolder(error), error);
  });
}

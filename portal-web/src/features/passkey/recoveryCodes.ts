import { paths } from '../../paths.ts';

type Shown = {
  readonly codes: readonly string[];
  readonly goOnTo: string;
  /** Whether these codes replace older ones, which no longer work. */
  readonly replaceOthers: boolean;
};

let shown: Shown | null = null;

/** Holds the recovery codes for the page that shows them, in memory only: never in storage or in the history. */
export function keepRecoveryCodes(
  codes: readonly string[],
  { goOnTo = paths.integrations, replaceOthers }: { goOnTo?: string; replaceOthers: boolean },
): void {
  shown = { codes, goOnTo, replaceOthers };
}

/** The codes that were just generated and where the reader goes next, or null if there are none. */
export function recoveryCodes(): Shown | null {
  return shown;
}

/** Forgets the codes once the reader has saved them. */
export function forgetRecoveryCodes(): void {
  shown = null;
}

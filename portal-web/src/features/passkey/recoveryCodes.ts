import { paths } from '../../paths.ts';

type Shown = {
  readonly codes: readonly string[];
  readonly goOnTo: string;
  /** Whether there were older ones, which no longer work. */
  readonly replaceOthers: boolean;
};

let shown: Shown | null = null;

/** Keeps the recovery codes for the page that shows them: in memory only, never in storage or in the history. */
export function keepRecoveryCodes(
  codes: readonly string[],
  { goOnTo = paths.integrations, replaceOthers }: { goOnTo?: string; replaceOthers: boolean },
): void {
  shown = { codes, goOnTo, replaceOthers };
}

/** The codes just made and where the reader goes from there, or null when there are none (any more). */
export function recoveryCodes(): Shown | null {
  return shown;
}

/** Drops the codes once the reader has saved them. */
export function forgetRecoveryCodes(): void {
  shown = null;
}

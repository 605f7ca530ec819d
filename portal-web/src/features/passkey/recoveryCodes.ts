import { paths } from '../../paths.ts';

type Shown = { readonly codes: readonly string[]; readonly goOnTo: string };

let shown: Shown | null = null;

/** Keeps the recovery codes for the page that shows them: in memory only, never in storage or in the history. */
export function keepRecoveryCodes(codes: readonly string[], goOnTo: string = paths.integrations): void {
  shown = { codes, goOnTo };
}

/** The codes just made and where the reader goes from there, or null when there are none (any more). */
export function recoveryCodes(): Shown | null {
  return shown;
}

/** Drops the codes once the reader has saved them. */
export function forgetRecoveryCodes(): void {
  shown = null;
}

let shown: readonly string[] | null = null;

/** Keeps the recovery codes for the page that shows them: in memory only, never in storage or in the history. */
export function keepRecoveryCodes(codes: readonly string[]): void {
  shown = codes;
}

/** The codes of the enrolment just finished, or null when there are none (any more). */
export function recoveryCodes(): readonly string[] | null {
  return shown;
}

/** Drops the codes once the reader has saved them. */
export function forgetRecoveryCodes(): void {
  shown = null;
}

import { DomainError } from '../shared/DomainError.ts';

/**
 * Throws conflict if another version of a draft is stored than the one that a page replaces, so that no window overwrites what it has not
 * seen. Versions come from one sequence and are never used again: what a page knows of a draft that has gone is no version of the one that
 * came afterwards. `version` is 0 for none; if it is null, whatever is stored is replaced.
 */
export function refuseOtherVersion(version: number | null, stored: { readonly version: number } | undefined): void {
  if (version === null || version === (stored?.version ?? 0)) return;
  throw new DomainError('conflict', {
    detail: 'You have changed this in another window in the meantime. What you wrote here is not saved.',
  });
}

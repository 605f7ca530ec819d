import { p12Facts } from '../../../../../../server/domain/certificate/p12/package/p12Facts.ts';
import type { Progress } from './useProgress.ts';

type P12Status = NonNullable<Progress['p12']>['status'];

/** What to do after a package has ended in another way than on the reader's disk. */
export const p12Endings: Readonly<Partial<Record<P12Status, string>>> = {
  claimed:
    'Each package is handed over once. If you have neither the file nor its password, nobody has. Start again: this revokes the certificate and requests another package.',
  expired:
    'A package that is not downloaded within 15 minutes is removed and its certificate revoked, so that no key lies about. Nothing is lost: start again whenever you have the time.',
  blocked: 'Too many wrong claim tokens were entered, so the package was removed and its certificate revoked. Start again.',
  failed: 'Nothing was issued. Start again; if it fails once more, make the key in this browser or yourself.',
  revoked: 'The package was removed with it. Start again if you still need one.',
};

/** Whether a package is still to be handed over. */
export function isWaiting({ status }: { readonly status: P12Status }): boolean {
  const { stage } = p12Facts[status];
  return stage === 'making' || stage === 'ready';
}

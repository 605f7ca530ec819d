import { serverLimits } from './serverLimits.ts';
import type { SupportContact } from '../../domain/shared/supportContact.ts';

/** Where people who have found a vulnerability look first (RFC 9116, section 3). */
export const securityTxtPath = '/.well-known/security.txt';

export type SecurityTxtFacts = {
  readonly contact: SupportContact;
  /** The origins that serve the file. Only encrypted ones may be named as canonical (RFC 9116, section 2.5.2). */
  readonly origins: readonly string[];
};

/**
 * The file as it reads on a given day. It expires at midnight UTC some months later, and never runs out while the service answers. The
 * contact is read from the configuration at each start, so nothing else has to be renewed when it changes.
 */
export function securityTxt({ contact, origins }: SecurityTxtFacts, now: Date): string {
  const midnight = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  const canonical = [...new Set(origins)].filter((origin) => origin.startsWith('https://'));
  return [
    `Contact: ${contact.url}`,
    `Expires: ${new Date(midnight + serverLimits.securityTxtLifetime).toISOString().replace('.000', '')}`,
    'Preferred-Languages: en',
    ...canonical.map((origin) => `Canonical: ${origin}${securityTxtPath}`),
    '',
  ].join('\n');
}

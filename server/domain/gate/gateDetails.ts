import type { MailDetails } from '../notification/mailKinds.ts';

type Move = { readonly open: boolean; readonly reason: string; readonly otherOpen: boolean };

/** What a mail tells of a move of a gate, the service's or the integration's own. */
export function gateDetails(gate: 'service' | 'integration', { open, reason, otherOpen }: Move): MailDetails['gate_moved'] {
  return { gate, open: Number(open), otherOpen: Number(otherOpen), reason };
}

/** Why a certificate is revoked, in words, as it can be chosen. */
export const revocationReasonWords = {
  superseded: 'Replaced by another certificate',
  key_compromise: 'The private key may be compromised',
  cessation_of_operation: 'No longer needed',
  unspecified: 'No reason given',
} as const;

/** Why one was revoked, which may be a reason that only a later release knows. */
export function revocationReasonWord(reason: keyof typeof revocationReasonWords | 'unknown'): string {
  return reason === 'unknown' ? 'Unknown' : revocationReasonWords[reason];
}

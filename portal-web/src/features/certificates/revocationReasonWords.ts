/** Why a certificate is revoked, in words. */
export const revocationReasonWords = {
  superseded: 'Replaced by another certificate',
  key_compromise: 'The private key may be compromised',
  cessation_of_operation: 'No longer needed',
  unspecified: 'No reason given',
} as const;

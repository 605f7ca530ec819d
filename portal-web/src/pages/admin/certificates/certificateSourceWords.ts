/** How a certificate came about. */
export const certificateSourceWords = {
  csr: 'Certificate request',
  p12: 'P12 package',
  est: 'Renewal through EST',
} as const;

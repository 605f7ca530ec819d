/** The keys that a certificate request may have (specification, “Machine API” under “Authentication”), with openssl's words for them. */
export const keyKinds = {
  'EC P-256': 'ec -pkeyopt ec_paramgen_curve:prime256v1',
  'EC P-384': 'ec -pkeyopt ec_paramgen_curve:secp384r1',
  'RSA 3072': 'rsa:3072',
} as const;

export type KeyKind = keyof typeof keyKinds;

/** Makes a key and a certificate request with exactly this common name. `-sha256` matters: P-384 would take SHA-384. */
export function keyCommand(kind: KeyKind, commonName: string): string {
  return `openssl req -new -newkey ${keyKinds[kind]} -sha256 -nodes -keyout client.key -subj "/CN=${commonName}" -out client.csr`;
}

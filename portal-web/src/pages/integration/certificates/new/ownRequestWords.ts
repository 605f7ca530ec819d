/** The keys that a certificate request may have (docs/specification.md, “Certificate requests”), with openssl's words for them. */
export const keyKinds = {
  'EC P-256': 'ec -pkeyopt ec_paramgen_curve:prime256v1',
  'EC P-384': 'ec -pkeyopt ec_paramgen_curve:secp384r1',
  'RSA 3072': 'rsa:3072',
} as const;

export type KeyKind = keyof typeof keyKinds;

/** The shell that the command is for. The first form works in bash, zsh, sh and fish. */
export const shells = ['macOS, Linux', 'PowerShell'] as const;
export type Shell = (typeof shells)[number];

type Key = { readonly kind: KeyKind; readonly commonName: string; readonly keyName: string };

/**
 * Makes a key and a certificate request with exactly this common name, unless there is a key of this name: openssl would write over it,
 * and a key that is in use would be gone. `-sha256` matters: P-384 would take SHA-384.
 */
export function keyCommand({ kind, commonName, keyName }: Key, shell: Shell = 'macOS, Linux'): string {
  const key = `${keyName}.key`;
  const make = `openssl req -new -newkey ${keyKinds[kind]} -sha256 -nodes -keyout ${key} -subj "/CN=${commonName}" -out ${keyName}.csr`;
  const kept = `"${key} already exists and was left unchanged"`;
  return shell === 'PowerShell'
    ? `if (Test-Path ${key}) { Write-Output ${kept} } else { ${make} }`
    : `test -e ${key} && echo ${kept} || ${make}`;
}

/** 16 KiB, the largest request that the service accepts. */
const largestBytes = 16 * 1024;

/** What is obviously wrong with a certificate request, or null. The service checks it thoroughly. */
export function csrComplaint(text: string): string | null {
  // Trimming also removes a byte order mark.
  const trimmed = text.trim();
  if (!trimmed) return 'Paste the certificate request, or choose its file.';
  if (trimmed.includes('PRIVATE KEY-----')) {
    return 'This file contains a private key. It was not sent. Keep it where it is, and upload the certificate request instead; its name ends in .csr.';
  }
  if (trimmed.includes('-----BEGIN CERTIFICATE-----'))
    return 'This is a certificate. Upload the certificate request instead; its name ends in .csr.';
  if (!/-----BEGIN (NEW )?CERTIFICATE REQUEST-----/.test(trimmed)) {
    return (
      'A certificate request starts with -----BEGIN CERTIFICATE REQUEST-----. Paste the whole file, in PEM format. ' +
      'To convert a DER file: openssl req -inform DER -in request.der -out request.csr'
    );
  }
  if (new TextEncoder().encode(trimmed).length > largestBytes) return 'This is larger than 16 KiB. A certificate request is far smaller.';
  return null;
}

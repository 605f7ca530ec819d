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

/** Programs that make certificate requests, as far as what they write tells them apart. */
export type CsrTool = 'openssl' | 'certtool' | 'certutil' | 'keytool' | 'certreq';

/** What each of them needs so that a request is signed with SHA-256, names one common name alone, or has a key that we accept. */
type Advice = {
  readonly signature: string;
  readonly subject: (commonName: string) => string;
  readonly ecKey: string;
  readonly rsaKey: string;
};

export const csrAdvice = {
  openssl: {
    signature: 'With openssl, add -sha256 (also for a P-384 key).',
    subject: (commonName) => `With openssl: -subj "/CN=${commonName}"`,
    ecKey: 'With openssl: -newkey ec -pkeyopt ec_paramgen_curve:P-256',
    rsaKey: 'With openssl: -newkey rsa:3072',
  },
  certtool: {
    signature: 'With certtool, add --hash SHA256 (also for a P-384 key).',
    subject: (commonName) => `With certtool, write cn = "${commonName}" into the --template and nothing else about the subject.`,
    ecKey: 'With certtool: --generate-privkey --key-type ecdsa --curve secp256r1',
    rsaKey: 'With certtool: --generate-privkey --key-type rsa --bits 3072',
  },
  certutil: {
    signature: 'With certutil, add -Z SHA256.',
    subject: (commonName) => `With certutil: -s "CN=${commonName}"`,
    ecKey: 'With certutil: -k ec -q nistp256',
    rsaKey: 'With certutil: -k rsa -g 3072',
  },
  keytool: {
    signature: 'With keytool -certreq, add -sigalg SHA256withECDSA (SHA256withRSA for an RSA key).',
    subject: (commonName) => `With keytool -genkeypair: -dname "CN=${commonName}"`,
    ecKey: 'With keytool -genkeypair: -keyalg EC -groupname secp256r1',
    rsaKey: 'With keytool -genkeypair: -keyalg RSA -keysize 3072',
  },
  certreq: {
    signature: 'With certreq, write HashAlgorithm = sha256 into the .inf file.',
    subject: (commonName) => `With certreq, write Subject = "CN=${commonName}" into the .inf file.`,
    ecKey: 'With certreq, write KeyAlgorithm = ECDSA_P256 into the .inf file.',
    rsaKey: 'With certreq, write KeyLength = 3072 into the .inf file.',
  },
} as const satisfies Record<CsrTool, Advice>;

/** Microsoft’s attribute with the version of Windows, which certreq adds to each request: 1.3.6.1.4.1.311.13.2.3. */
const windowsVersion = Buffer.from('060a2b0601040182370d0203', 'hex');

/**
 * The program that has made a request, by the text around it, its label, and its attributes. Without any of these it is openssl, which is
 * what the guides use.
 */
export function toolOf({
  text = '',
  label,
  csrDer,
}: {
  readonly text?: string;
  readonly label?: string;
  readonly csrDer: Buffer;
}): CsrTool {
  if (csrDer.includes(windowsVersion)) return 'certreq';
  if (text.includes('Netscape certutil')) return 'certutil';
  if (text.includes('PKCS #10 Certificate Request Information')) return 'certtool';
  // Others use this label as well, but only keytool writes nothing else.
  return label === 'NEW CERTIFICATE REQUEST' ? 'keytool' : 'openssl';
}

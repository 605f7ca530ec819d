import { createHash, createPublicKey, timingSafeEqual, verify } from 'node:crypto';

/** A request as it arrived. The names of headers are in lower case. */
export type SignedRequest = {
  readonly method: string;
  readonly targetUri: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
};

/** A public key of a JWKS (RFC 8037). */
export type PublicJwk = { readonly kty: string; readonly crv: string; readonly x: string; readonly kid: string };
type Parameters = ReadonlyMap<string, string | number>;

/**
 * Verifies a signature as the text of RFC 9421, section 3.2, says, with nothing but Node. It shares no code with the service, so that both are
 * wrong only if both misread the RFC. It understands what the service sends and what the examples of the RFC need. Throws Error with the reason.
 */
export function verifyByRfc9421(request: SignedRequest, label: string, keys: readonly PublicJwk[]): Parameters {
  const { components, parameters, text } = signatureInput(header(request, 'signature-input'), label);
  const key = keys.find((each) => each.kid === parameters.get('keyid'));
  if (!key) throw new Error('no key has this keyid');
  if (parameters.has('alg') && parameters.get('alg') !== 'ed25519') throw new Error('alg is not ed25519');
  // Section 2.5: a line for each component, then that of the parameters, which ends without a newline.
  const lines = components.map((name) => `"${name}": ${componentValue(request, name)}`);
  const base = [...lines, `"@signature-params": ${text}`].join('\n');
  const publicKey = createPublicKey({ key, format: 'jwk' });
  if (!verify(null, Buffer.from(base, 'ascii'), publicKey, byteSequence(header(request, 'signature'), label)))
    throw new Error('the signature is wrong');
  return parameters;
}

/** Compares Content-Digest with the body (RFC 9530, section 2). Throws Error if they differ. */
export function checkDigest(request: SignedRequest): void {
  const sent = byteSequence(header(request, 'content-digest'), 'sha-256');
  const computed = createHash('sha256').update(request.body).digest();
  if (sent.length !== computed.length || !timingSafeEqual(sent, computed)) throw new Error('the digest is wrong');
}

/** Section 2.1 for fields, 2.2 for derived components. */
function componentValue(request: SignedRequest, name: string): string {
  const afterScheme = request.targetUri.slice(request.targetUri.indexOf('//') + 2);
  switch (name) {
    case '@method':
      return request.method;
    case '@target-uri':
      return request.targetUri;
    case '@authority':
      return /^[^/?]*/.exec(afterScheme)?.[0].toLowerCase() ?? '';
    case '@path':
      return /^[^/?]*([^?]*)/.exec(afterScheme)?.[1] ?? '/';
    default:
      if (name.startsWith('@')) throw new Error(`the component ${name} is not known here`);
      return header(request, name).trim();
  }
}

function header({ headers }: SignedRequest, name: string): string {
  const value = headers[name];
  if (value === undefined) throw new Error(`the header ${name} is missing`);
  return value;
}

/** One member of Signature-Input: an inner list of strings with parameters (RFC 8941, section 4.2). Its text is signed as it was sent. */
function signatureInput(field: string, label: string) {
  const member = new RegExp(`^${label}=(\\(("[^"]+"( "[^"]+")*)?\\)(;[a-z]+=("[^"\\\\]*"|\\d+))*)$`).exec(field);
  const text = member?.[1];
  if (text === undefined) throw new Error('Signature-Input has another form');
  const [list = ''] = /^\([^)]*\)/.exec(text) ?? [];
  const components = [...list.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name);
  const values = [...text.slice(list.length).matchAll(/;([a-z]+)=(?:"([^"]*)"|(\d+))/g)];
  const parameters = new Map(values.map(([, name = '', string, integer]) => [name, string ?? Number(integer)]));
  return { components, parameters, text };
}

/** One member of a dictionary that is a byte sequence (RFC 8941, section 3.3.5). */
function byteSequence(field: string, name: string): Buffer {
  const base64 = new RegExp(`^${name}=:([A-Za-z0-9+/]*={0,2}):$`).exec(field)?.[1];
  if (base64 === undefined) throw new Error(`${name} is not a byte sequence`);
  return Buffer.from(base64, 'base64');
}

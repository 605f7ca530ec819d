import { createHash } from 'node:crypto';

/**
 * Answers of passkeys that somebody makes by hand (WebAuthn Level 3): CBOR that costs much for its size, in the places where the service
 * reads it.
 */

/** CBOR (RFC 8949) of about this many bytes. */
export const hostileCbor: Readonly<Record<string, (bytes: number) => Buffer>> = {
  'lists in each other': (bytes) => repeated('81', bytes),
  'lists in each other that promise more': (bytes) => repeated('99ffff', bytes),
  'maps in each other': (bytes) => repeated('a100', bytes),
  'maps in each other that promise more': (bytes) => repeated('b8ff00', bytes),
  'tags in each other': (bytes) => repeated('c1', bytes),
  'lists of indefinite length': (bytes) => repeated('9f', bytes),
  'a list that promises four thousand million items': (bytes) => headed('9affffffff', repeated('00', bytes)),
  'a text that promises more than there is': (bytes) => headed('7affffffff', repeated('41', bytes)),
  'a list of empty lists': (bytes) => headed(`99${length(bytes)}`, repeated('80', bytes)),
  'a list of empty maps': (bytes) => headed(`99${length(bytes)}`, repeated('a0', bytes)),
  'a list of small floats': (bytes) => headed(`99${length(bytes / 3)}`, repeated('f90001', bytes)),
  'a map of many numbers': (bytes) =>
    headed(
      `b9${length(bytes / 4)}`,
      Buffer.concat(Array.from({ length: bytes / 4 }, (_, key) => Buffer.from([0x19, key >> 8, key & 0xff, 0]))),
    ),
};

/** Where an answer contains CBOR: the whole attestation, its statement, a new key, or the extensions of either. */
export const credentialParts = ['attestation', 'statement', 'key', 'extensions'] as const;

type Made = { readonly rpId: string; readonly origin: string; readonly challenge: string; readonly cbor: Buffer };

/** A RegistrationResponseJSON with this CBOR in one of its parts. */
export function hostileRegistration({ rpId, origin, challenge, cbor }: Made, part: (typeof credentialParts)[number]): object {
  const key = part === 'key' ? cbor : emptyMap;
  const data = Buffer.concat([authenticatorHead(rpId, part === 'extensions' ? 0xc5 : 0x45), credentialHead, key]);
  const authData = part === 'extensions' ? Buffer.concat([data, cbor]) : data;
  const statement = part === 'statement' ? cbor : emptyMap;
  const whole = Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text(part === 'statement' ? 'packed' : 'none'),
    text('authData'),
    headed(`59${length(authData.length)}`, authData),
    text('attStmt'),
    statement,
  ]);
  return answer({
    clientDataJSON: clientData('webauthn.create', origin, challenge),
    attestationObject: (part === 'attestation' ? cbor : whole).toString('base64url'),
  });
}

/** An AuthenticationResponseJSON of a passkey, with this CBOR as its extensions. */
export function hostileAssertion({ rpId, origin, challenge, cbor }: Made, passkeyId: string): object {
  return answer(
    {
      clientDataJSON: clientData('webauthn.get', origin, challenge),
      authenticatorData: Buffer.concat([authenticatorHead(rpId, 0x85), cbor]).toString('base64url'),
      signature: repeated('30', 70).toString('base64url'),
    },
    passkeyId,
  );
}

const emptyMap = Buffer.from([0xa0]);
/** An authenticator's model, and a credential's id of 16 bytes. */
const credentialHead = Buffer.concat([Buffer.alloc(16), Buffer.from([0, 16]), Buffer.alloc(16, 7)]);

function answer(response: object, id = Buffer.alloc(16, 7).toString('base64url')): object {
  return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
}

function clientData(type: string, origin: string, challenge: string): string {
  return Buffer.from(JSON.stringify({ type, challenge, origin })).toString('base64url');
}

function authenticatorHead(rpId: string, flags: number): Buffer {
  return Buffer.concat([createHash('sha256').update(rpId).digest(), Buffer.from([flags, 0, 0, 0, 1])]);
}

function repeated(hex: string, bytes: number): Buffer {
  const part = Buffer.from(hex, 'hex');
  return Buffer.alloc(Math.floor(bytes / part.length) * part.length, part);
}

function headed(hex: string, rest: Buffer): Buffer {
  return Buffer.concat([Buffer.from(hex, 'hex'), rest]);
}

/** A length in two bytes. */
function length(count: number): string {
  return Math.floor(count).toString(16).padStart(4, '0');
}

function text(value: string): Buffer {
  return Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
}

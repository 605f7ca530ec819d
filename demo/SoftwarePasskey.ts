import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto';
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';

/** How the authenticator deviates from a good one, for tests of the verifier. By default it does not. */
export type Misbehaviour = {
  /** false: the person did not unlock the passkey (flag UV is not set). */
  readonly userVerified?: boolean;
  /** false: nobody touched the authenticator (flag UP is not set). */
  readonly userPresent?: boolean;
  /** Signs this challenge (base64url) instead of the one asked for. */
  readonly challenge?: string;
  /** Answers for this relying party instead of the one asked for. */
  readonly rpId?: string;
  /** Reports this signature counter instead of the next. */
  readonly counter?: number;
  /** true: another key makes the signature. */
  readonly forgedSignature?: boolean;
  /** true: the page was shown inside a page of another site. */
  readonly crossOrigin?: boolean;
  /** What the browser says about whether the new credential is discoverable. By default it says that it is. */
  readonly discoverable?: boolean | undefined;
  /** true: the passkey is one that is synced to other devices (flags BE and BS). */
  readonly synced?: boolean;
  /** The new credential has this public key (COSE) instead of its own. */
  readonly publicKey?: Buffer;
  /** Gives the new credential this id instead of a random one. */
  readonly credentialId?: Buffer;
};

type Credential = {
  readonly id: Buffer;
  readonly rpId: string;
  readonly userHandle: string;
  readonly privateKey: KeyObject;
  counter: number;
};
type CborValue = number | string | Buffer | Map<CborValue, CborValue>;

const flag = { userPresent: 0x01, userVerified: 0x04, backupEligible: 0x08, backedUp: 0x10, attestedCredentialData: 0x40 } as const;
const es256 = -7;

/**
 * An authenticator, and the browser around it, in software (WebAuthn Level 3): ES256, discoverable credentials, user verification,
 * attestation "none". For the demo and the tests. The private keys stay in memory and vanish with the process.
 */
export class SoftwarePasskey {
  readonly #credentials: Credential[] = [];

  /**
   * Makes a credential, as `navigator.credentials.create` does on a page of `origin`. Throws an Error if ES256 is not offered, or if the
   * authenticator already holds one of the excluded credentials.
   */
  create(options: PublicKeyCredentialCreationOptionsJSON, origin: string, misbehaviour: Misbehaviour = {}): RegistrationResponseJSON {
    if (!options.pubKeyCredParams.some(({ alg }) => alg === es256)) throw new Error('The relying party does not accept ES256.');
    if (options.excludeCredentials?.some(({ id }) => this.#find(id)))
      throw new Error('This authenticator already holds a credential of the account.');
    const rpId = options.rp.id ?? new URL(origin).hostname;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const credential: Credential = {
      id: misbehaviour.credentialId ?? randomBytes(32),
      rpId,
      userHandle: options.user.id,
      privateKey,
      counter: 0,
    };
    this.#credentials.push(credential);
    const attested = Buffer.concat([
      Buffer.alloc(16),
      uint16(credential.id.length),
      credential.id,
      misbehaviour.publicKey ?? cbor(coseKey(publicKey)),
    ]);
    const authenticatorData = Buffer.concat([this.#authenticatorData(credential, misbehaviour, flag.attestedCredentialData), attested]);
    const attestationObject = new Map<CborValue, CborValue>([
      ['fmt', 'none'],
      ['attStmt', new Map()],
      ['authData', authenticatorData],
    ]);
    const clientData = clientDataJson('webauthn.create', options.challenge, origin, misbehaviour);
    const { discoverable: rk } = { discoverable: true, ...misbehaviour };
    return {
      ...responseHead(credential),
      clientExtensionResults: { credProps: rk === undefined ? {} : { rk } },
      response: {
        clientDataJSON: clientData.toString('base64url'),
        attestationObject: cbor(attestationObject).toString('base64url'),
        transports: ['internal'],
      },
    };
  }

  /**
   * Signs in or confirms, as `navigator.credentials.get` does on a page of `origin`. Without `allowCredentials`, it uses its newest
   * credential for the relying party. Throws an Error if it holds no suitable credential.
   */
  get(options: PublicKeyCredentialRequestOptionsJSON, origin: string, misbehaviour: Misbehaviour = {}): AuthenticationResponseJSON {
    const rpId = options.rpId ?? new URL(origin).hostname;
    const allowed = new Set(options.allowCredentials?.map(({ id }) => id));
    const fits = ({ id, rpId: own }: Credential) => own === rpId && (allowed.size === 0 || allowed.has(id.toString('base64url')));
    const credential = this.#credentials.findLast(fits);
    if (!credential) throw new Error('This authenticator holds no credential for the relying party.');
    credential.counter += 1;
    const authenticatorData = this.#authenticatorData(credential, misbehaviour);
    const clientData = clientDataJson('webauthn.get', options.challenge, origin, misbehaviour);
    const key = misbehaviour.forgedSignature ? generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey : credential.privateKey;
    const signature = sign('sha256', Buffer.concat([authenticatorData, sha256(clientData)]), key);
    return {
      ...responseHead(credential),
      response: {
        clientDataJSON: clientData.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: signature.toString('base64url'),
        userHandle: credential.userHandle,
      },
    };
  }

  #find(id: string): Credential | undefined {
    return this.#credentials.find((credential) => credential.id.toString('base64url') === id);
  }

  /** WebAuthn, “Authenticator Data”: hash of the relying party's id, flags, signature counter. */
  #authenticatorData(credential: Credential, misbehaviour: Misbehaviour, extraFlags = 0): Buffer {
    const present = misbehaviour.userPresent === false ? 0 : flag.userPresent;
    const verified = misbehaviour.userVerified === false ? 0 : flag.userVerified;
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(misbehaviour.counter ?? credential.counter);
    const synced = misbehaviour.synced ? flag.backupEligible | flag.backedUp : 0;
    return Buffer.concat([sha256(misbehaviour.rpId ?? credential.rpId), Buffer.of(present | verified | synced | extraFlags), counter]);
  }
}

function responseHead({ id }: Credential) {
  const text = id.toString('base64url');
  return { id: text, rawId: text, type: 'public-key', authenticatorAttachment: 'platform', clientExtensionResults: {} } as const;
}

function clientDataJson(type: string, asked: string, origin: string, { challenge = asked, crossOrigin = false }: Misbehaviour): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin }));
}

/** RFC 9053: key type EC2 (1: 2), algorithm (3), curve P-256 (-1: 1), coordinates (-2, -3). */
function coseKey(publicKey: KeyObject): Map<CborValue, CborValue> {
  const { x, y } = publicKey.export({ format: 'jwk' });
  return new Map<CborValue, CborValue>([
    [1, 2],
    [3, es256],
    [-1, 1],
    [-2, Buffer.from(x ?? '', 'base64url')],
    [-3, Buffer.from(y ?? '', 'base64url')],
  ]);
}

/** The part of CBOR (RFC 8949) that an authenticator needs: integers, byte and text strings, maps. */
function cbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value]);
  return Buffer.concat([cborHead(5, value.size), ...[...value].flatMap(([key, item]) => [cbor(key), cbor(item)])]);
}

function cborHead(majorType: number, argument: number): Buffer {
  const type = majorType << 5;
  if (argument < 24) return Buffer.of(type | argument);
  if (argument < 256) return Buffer.of(type | 24, argument);
  return Buffer.concat([Buffer.of(type | 25), uint16(argument)]);
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}

function sha256(data: Buffer | string): Buffer {
  return createHash('sha256').update(data).digest();
}

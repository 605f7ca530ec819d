import { createHash } from 'node:crypto';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { decodeAttestationObject, isoCBOR, parseAuthenticatorData } from '@simplewebauthn/server/helpers';
import { z } from 'zod';
import { accountLimits } from '../accountLimits.ts';
import { isUsableKey } from './credentialKey.ts';
import type { Passkey } from './Passkey.ts';
import { type PasskeyRefusal, refused } from './passkeyRefusals.ts';

/** The relying party (WebAuthn Level 3): `id` is the portal's host name, `origin` its origin. */
export type RelyingParty = { readonly id: string; readonly origin: string; readonly name: string };

export type { PublicKeyCredentialCreationOptionsJSON, PublicKeyCredentialRequestOptionsJSON };

/** A verified new credential, in the columns of a passkey. */
export type NewCredential = Pick<Passkey, 'id' | 'publicKey' | 'counter' | 'transports' | 'deviceType' | 'backedUp' | 'aaguid'>;

const base64url = z
  .string()
  .regex(/^[\w-]+$/)
  .max(16_384);
const transportList = z
  .array(z.enum(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb']).catch('internal'))
  .max(8)
  .optional();
const common = { id: base64url, rawId: base64url, type: z.literal('public-key'), clientExtensionResults: z.looseObject({}).default({}) };
const registrationResponse = z.looseObject({
  ...common,
  response: z.looseObject({ clientDataJSON: base64url, attestationObject: base64url, transports: transportList }),
});
const authenticationResponse = z.looseObject({
  ...common,
  response: z.looseObject({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish(),
  }),
});

/** A registration response of the right shape, or null. */
export function parseRegistrationResponse(json: unknown): RegistrationResponseJSON | null {
  const parsed = registrationResponse.safeParse(json);
  return parsed.success ? parsed.data : null;
}

/** An authentication response of the right shape, or null. */
export function parseAuthenticationResponse(json: unknown): AuthenticationResponseJSON | null {
  const parsed = authenticationResponse.safeParse(json);
  return parsed.success ? (parsed.data as unknown as AuthenticationResponseJSON) : null;
}

const clientData = z.looseObject({
  challenge: base64url,
  origin: z.string(),
  crossOrigin: z.boolean().default(false),
  topOrigin: z.string().optional(),
});
/** What the browser says about a ceremony (WebAuthn Level 3, 5.8.1). */
type ClientData = z.infer<typeof clientData>;

/** The challenge (base64url) that a response answers, or null if its client data cannot be read. */
export function challengeOf(response: RegistrationResponseJSON | AuthenticationResponseJSON): string | null {
  return clientDataOf(response)?.challenge ?? null;
}

function clientDataOf(response: RegistrationResponseJSON | AuthenticationResponseJSON): ClientData | null {
  try {
    const { data } = clientData.safeParse(JSON.parse(Buffer.from(response.response.clientDataJSON, 'base64url').toString('utf8')));
    return data ?? null;
  } catch {
    return null;
  }
}

/**
 * Why what browser and device say of a ceremony is refused, or null. The pages are never shown inside another site's, so nothing asks for a
 * passkey from there.
 */
function saidRefusal(
  rp: RelyingParty,
  { origin, crossOrigin, topOrigin }: ClientData,
  { rpIdHash, flags }: AuthenticatorData,
): PasskeyRefusal | null {
  if (crossOrigin || topOrigin !== undefined) return 'embedded';
  if (origin !== rp.origin || !createHash('sha256').update(rp.id).digest().equals(rpIdHash)) return 'elsewhere';
  if (!flags.up) return 'untouched';
  return flags.uv ? null : 'unverified';
}

type AuthenticatorData = ReturnType<typeof parseAuthenticatorData>;

/** Options for a new discoverable passkey with user verification. `userHandle` is random and names nobody. */
export function registrationOptions(
  rp: RelyingParty,
  {
    challenge,
    email,
    userHandle,
    existing,
  }: { challenge: Uint8Array<ArrayBuffer>; email: string; userHandle: Buffer; existing: readonly Passkey[] },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return generateRegistrationOptions({
    challenge,
    rpName: rp.name,
    rpID: rp.id,
    userName: email,
    userDisplayName: email,
    userID: new Uint8Array(userHandle),
    timeout: accountLimits.challengeLifetime,
    attestationType: 'none',
    excludeCredentials: existing.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Options for signing in (without an address, because passkeys are discoverable) or for confirming with one of the `allowed` passkeys. */
export function authenticationOptions(
  rp: RelyingParty,
  challenge: Uint8Array<ArrayBuffer>,
  allowed: readonly Passkey[] = [],
): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({
    challenge,
    rpID: rp.id,
    timeout: accountLimits.challengeLifetime,
    userVerification: 'required',
    allowCredentials: allowed.map(({ id, transports }) => ({ id, transports })),
  });
}

/** The new credential, or why it is refused. */
type NewCredentialVerdict =
  | { readonly accepted: true; readonly credential: NewCredential }
  | { readonly accepted: false; readonly reason: PasskeyRefusal };

/**
 * Whether the credential is one by which its owner can sign in from now on: made for this portal with the person verified, discoverable as
 * far as the browser says so, and with a key that can be checked. What the authenticator says about its maker is ignored, and nothing is
 * fetched.
 */
export async function verifyRegistration(
  rp: RelyingParty,
  response: RegistrationResponseJSON,
  challenge: string,
): Promise<NewCredentialVerdict> {
  const said = clientDataOf(response);
  const unattested = withoutAttestation(response);
  if (!said || !unattested) return refused('unreadable');
  const { authenticatorData, response: bare } = unattested;
  const reason = saidRefusal(rp, said, authenticatorData) ?? newKeyRefusal(response, authenticatorData);
  if (reason) return refused(reason);
  const verified = await verifyRegistrationResponse({
    response: bare,
    expectedChallenge: challenge,
    expectedOrigin: rp.origin,
    expectedRPID: rp.id,
    requireUserVerification: true,
  }).catch(() => null);
  if (!verified?.verified) return refused('unreadable');
  const { credential, credentialDeviceType, credentialBackedUp, aaguid } = verified.registrationInfo;
  return {
    accepted: true,
    credential: {
      id: credential.id,
      publicKey: Buffer.from(credential.publicKey),
      counter: credential.counter,
      transports: credential.transports ?? [],
      deviceType: credentialDeviceType,
      backedUp: credentialBackedUp,
      aaguid,
    },
  };
}

/**
 * Why a new key is refused, or null. Whether it is discoverable, only the browser knows (WebAuthn Level 3, 10.1.3); where it says nothing,
 * that was asked for and is taken as given.
 */
function newKeyRefusal(
  { clientExtensionResults }: RegistrationResponseJSON,
  { credentialID, credentialPublicKey }: AuthenticatorData,
): PasskeyRefusal | null {
  if (!credentialID || !credentialPublicKey) return 'unreadable';
  if (clientExtensionResults.credProps?.rk === false) return 'undiscoverable';
  if (credentialID.length > accountLimits.credentialIdBytes) return 'longId';
  return isUsableKey(credentialPublicKey) ? null : 'unsupportedKey';
}

/**
 * The response with the attestation that was requested, which is none, or null if it cannot be read. Browsers leave out an authenticator's
 * statement by themselves, but anybody can send one, and to verify it the library would fetch the revocation lists that its certificates
 * name.
 */
function withoutAttestation(
  response: RegistrationResponseJSON,
): { readonly authenticatorData: AuthenticatorData; readonly response: RegistrationResponseJSON } | null {
  try {
    const authData = decodeAttestationObject(Buffer.from(response.response.attestationObject, 'base64url')).get('authData');
    const authenticatorData = parseAuthenticatorData(authData);
    const bare = new Map<string, string | Uint8Array | Map<string, string>>()
      .set('fmt', 'none')
      .set('attStmt', new Map())
      .set('authData', authData);
    const attestationObject = Buffer.from(isoCBOR.encode(bare)).toString('base64url');
    return { authenticatorData, response: { ...response, response: { ...response.response, attestationObject } } };
  } catch {
    return null;
  }
}

/** What an assertion changes about its passkey, or why it is refused. */
type AssertionVerdict =
  | { readonly accepted: true; readonly counter: number; readonly backedUp: boolean }
  | { readonly accepted: false; readonly reason: PasskeyRefusal };

/** Whether this passkey has made the assertion. */
export async function verifyAssertion(
  rp: RelyingParty,
  response: AuthenticationResponseJSON,
  challenge: string,
  passkey: Passkey,
): Promise<AssertionVerdict> {
  const said = clientDataOf(response);
  const authenticatorData = authenticatorDataOf(response);
  if (!said || !authenticatorData) return refused('unreadable');
  const reason = saidRefusal(rp, said, authenticatorData);
  if (reason) return refused(reason);
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: rp.origin,
    expectedRPID: rp.id,
    // The counter is judged below, by the kind of passkey.
    credential: { id: passkey.id, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
    requireUserVerification: true,
  }).catch(() => null);
  if (!verified?.verified) return refused('unknown');
  const { newCounter, credentialBackedUp } = verified.authenticationInfo;
  if (isBehind(passkey, newCounter)) return refused('copied');
  return { accepted: true, counter: newCounter, backedUp: credentialBackedUp };
}

function authenticatorDataOf({ response }: AuthenticationResponseJSON): AuthenticatorData | null {
  try {
    return parseAuthenticatorData(new Uint8Array(Buffer.from(response.authenticatorData, 'base64url')));
  } catch {
    return null;
  }
}

/**
 * Whether the counter speaks for a copy of the passkey (WebAuthn Level 3, 6.1.1). Only one that never leaves its device has one counter: of a
 * synced passkey there are copies, whose counters need not agree. Authenticators that do not count always report 0.
 */
function isBehind({ deviceType, counter }: Passkey, reported: number): boolean {
  return deviceType === 'singleDevice' && (reported > 0 || counter > 0) && reported <= counter;
}

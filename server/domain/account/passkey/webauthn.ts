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
import { decodeAttestationObject, isoCBOR } from '@simplewebauthn/server/helpers';
import { z } from 'zod';
import { limits } from '../../shared/limits.ts';
import type { Passkey } from './Passkey.ts';

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

/** The challenge (base64url) that a response answers, or null if its client data cannot be read. */
export function challengeOf(response: RegistrationResponseJSON | AuthenticationResponseJSON): string | null {
  try {
    const clientData: unknown = JSON.parse(Buffer.from(response.response.clientDataJSON, 'base64url').toString('utf8'));
    const parsed = z.looseObject({ challenge: base64url }).safeParse(clientData);
    return parsed.success ? parsed.data.challenge : null;
  } catch {
    return null;
  }
}

/** Options for a new discoverable passkey with user verification. `userHandle` is random and names nobody. */
export function registrationOptions(
  rp: RelyingParty,
  { email, userHandle, existing }: { email: string; userHandle: Buffer; existing: readonly Passkey[] },
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  return generateRegistrationOptions({
    rpName: rp.name,
    rpID: rp.id,
    userName: email,
    userDisplayName: email,
    userID: new Uint8Array(userHandle),
    timeout: limits.challengeLifetime,
    attestationType: 'none',
    excludeCredentials: existing.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

/** Options for signing in (without an address, because passkeys are discoverable) or for confirming with one of the `allowed` passkeys. */
export function authenticationOptions(rp: RelyingParty, allowed: readonly Passkey[] = []): Promise<PublicKeyCredentialRequestOptionsJSON> {
  return generateAuthenticationOptions({
    rpID: rp.id,
    timeout: limits.challengeLifetime,
    userVerification: 'required',
    allowCredentials: allowed.map(({ id, transports }) => ({ id, transports })),
  });
}

/**
 * The new credential, or null if anything about the response is wrong (origin, relying party, challenge, user verification, ID). What the
 * authenticator says about its maker is ignored, and nothing is fetched.
 */
export async function verifyRegistration(
  rp: RelyingParty,
  response: RegistrationResponseJSON,
  challenge: string,
): Promise<NewCredential | null> {
  const unattested = withoutAttestation(response);
  if (!unattested) return null;
  const verified = await verifyRegistrationResponse({
    response: unattested,
    expectedChallenge: challenge,
    expectedOrigin: rp.origin,
    expectedRPID: rp.id,
    requireUserVerification: true,
  }).catch(() => null);
  if (!verified?.verified) return null;
  const { credential, credentialDeviceType, credentialBackedUp, aaguid } = verified.registrationInfo;
  if (Buffer.byteLength(credential.id, 'base64url') > limits.credentialIdBytes) return null;
  return {
    id: credential.id,
    publicKey: Buffer.from(credential.publicKey),
    counter: credential.counter,
    transports: credential.transports ?? [],
    deviceType: credentialDeviceType,
    backedUp: credentialBackedUp,
    aaguid,
  };
}

/**
 * The response with the attestation that was requested, which is none, or null if it cannot be read. Browsers leave out an authenticator's
 * statement by themselves, but anybody can send one, and to verify it the library would fetch the revocation lists that its certificates
 * name.
 */
function withoutAttestation(response: RegistrationResponseJSON): RegistrationResponseJSON | null {
  try {
    const authData = decodeAttestationObject(Buffer.from(response.response.attestationObject, 'base64url')).get('authData');
    const bare = new Map<string, string | Uint8Array | Map<string, string>>()
      .set('fmt', 'none')
      .set('attStmt', new Map())
      .set('authData', authData);
    const attestationObject = Buffer.from(isoCBOR.encode(bare)).toString('base64url');
    return { ...response, response: { ...response.response, attestationObject } };
  } catch {
    return null;
  }
}

/** What an assertion by this passkey changes about it, or null if the assertion is not valid. */
export async function verifyAssertion(
  rp: RelyingParty,
  response: AuthenticationResponseJSON,
  challenge: string,
  passkey: Passkey,
): Promise<Pick<Passkey, 'counter' | 'backedUp'> | null> {
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: rp.origin,
    expectedRPID: rp.id,
    credential: { id: passkey.id, publicKey: new Uint8Array(passkey.publicKey), counter: passkey.counter },
    requireUserVerification: true,
  }).catch(() => null);
  if (!verified?.verified) return null;
  return { counter: verified.authenticationInfo.newCounter, backedUp: verified.authenticationInfo.credentialBackedUp };
}

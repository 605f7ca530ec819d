import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import type { Json } from '../../graphql/graphql.ts';

/** The authenticator's response, or a message for the reader. */
type CeremonyResult = { response: Json; message?: never } | { response?: never; message: string };

/** Asks the browser for a new passkey. `options` is PublicKeyCredentialCreationOptionsJSON of WebAuthn Level 3. */
export function createPasskey(options: Json): Promise<CeremonyResult> {
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return perform(() => startRegistration({ optionsJSON }));
}

/** Asks the browser to prove a passkey. `options` is PublicKeyCredentialRequestOptionsJSON of WebAuthn Level 3. */
export function provePasskey(options: Json): Promise<CeremonyResult> {
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return perform(() => startAuthentication({ optionsJSON }));
}

/** Whether this browser supports passkeys. */
export const passkeysSupported = browserSupportsWebAuthn;

async function perform(ceremony: () => Promise<object>): Promise<CeremonyResult> {
  if (!passkeysSupported()) return { message: unsupported };
  try {
    return { response: { ...(await ceremony()) } };
  } catch (error) {
    return { message: describeCeremonyError(error) };
  }
}

export const unsupported =
  'This browser cannot use passkeys here. Use a current browser, over HTTPS or on localhost, and open this page again.';

function describeCeremonyError(error: unknown): string {
  if (error instanceof WebAuthnError) {
    if (error.code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') {
      return 'This device already holds a passkey for your account. Sign in with it, or use another device.';
    }
    if (error.code === 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT') {
      return 'This device cannot verify that it is you. Set up a screen lock or PIN, or use another device.';
    }
    if (error.code === 'ERROR_INVALID_DOMAIN' || error.code === 'ERROR_INVALID_RP_ID') {
      return 'A passkey works at one web address only, and you opened this page at a different one. Open the portal at its own address.';
    }
  }
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') {
    return 'No passkey was used: the request was cancelled or timed out. Nothing has changed; try again.';
  }
  if (name === 'InvalidStateError') return 'This device already holds a passkey for your account.';
  return 'The passkey could not be used. Try again, or use another device.';
}

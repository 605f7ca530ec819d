/**
 * Why a passkey is refused, with what its owner can do about it. Enrolment, sign-in and confirmation read them. `unknown` stands alike for a
 * passkey that is not on record and for one whose owner or signature does not fit. At sign-in, what browser and device did is judged before the
 * signature, but only for a passkey on record that is named together with its user handle: both are random, and known only where the passkey
 * was used. `copied` alone comes after the signature.
 */
export const passkeyRefusals = {
  unreadable: 'The browser’s answer could not be read. Update the browser or the password manager that made it, or use another one.',
  outdated:
    'This request is older than five minutes, has been answered before, or was begun in another browser. Try again, and finish within five minutes.',
  elsewhere: 'A page at another address asked for the passkey. Open the portal at its own address, and try again there.',
  embedded: 'The page was shown inside a page of another site. Open the portal in a tab of its own, and try again.',
  untouched: 'The device was not touched or unlocked. Try again, and confirm when the device asks you.',
  unverified:
    'The device did not verify that it is you. Set up a screen lock (fingerprint, face or PIN) on it, or a PIN on the security key, and try again.',
  undiscoverable:
    'The device cannot find this passkey without an address, which sign-in here does not ask for, so you could never sign in with it. Use another device or password manager. A security key needs a PIN and a free slot; old ones that cannot store passkeys do not work.',
  unsupportedKey:
    'The device made a key of a kind that this service does not use (it takes ES256, Ed25519, and RSA with 2,048 to 4,096 bits). Use another device or password manager.',
  longId:
    'The device gave the passkey an identifier of more than 1,023 bytes, which WebAuthn does not allow. Use another device or password manager.',
  unknown:
    'This passkey does not open an account here. It may have been removed, or replaced when the account was recovered: then delete it from your device or password manager. Use another passkey of the account, or a recovery code.',
  copied:
    'The counter of this passkey is behind the last one that was seen. A passkey that never leaves its device counts upwards, so there may be a copy of it. Use another passkey of the account, and remove this one.',
} as const;

export type PasskeyRefusal = keyof typeof passkeyRefusals;

/** The verdict on a passkey that is refused. */
export const refused = (reason: PasskeyRefusal) => ({ accepted: false, reason }) as const;

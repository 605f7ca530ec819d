import type { AuthorityKeys } from '../domain/certificate/authorities.ts';
import { generateSigningKey, softwareKey, softwareSigner, unwrapKey, wrapKey } from './keyStore.ts';

/** The authorities' keys in software. They are in the database, wrapped under SIGNING_KEY, which only the workers have. */
export function authorityKeys(signingKey: Buffer): AuthorityKeys {
  return {
    generate: generateSigningKey,
    wrap: (purpose, privateKey) => wrapKey(signingKey, purpose, privateKey),
    unwrap: (purpose, wrapped) => unwrapKey(signingKey, purpose, wrapped),
    key: softwareKey,
    signer: softwareSigner,
  };
}

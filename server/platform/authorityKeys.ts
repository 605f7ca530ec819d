import type { AuthorityKeys } from '../domain/certificate/authorities.ts';
import { generateSigningKey, softwareKey, softwareSigner, unwrapKey, wrapKey, type WrappingKeys } from './keyStore.ts';

/** The authorities' keys in software. They are in the database, wrapped under SIGNING_KEY, which only the workers have. */
export function authorityKeys(signingKeys: WrappingKeys): AuthorityKeys {
  return {
    generate: generateSigningKey,
    wrap: (purpose, privateKey) => wrapKey(signingKeys.current, purpose, privateKey),
    unwrap: (purpose, wrapped) => unwrapKey(signingKeys, purpose, wrapped),
    key: softwareKey,
    signer: softwareSigner,
  };
}

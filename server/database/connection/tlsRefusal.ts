/** Why a TLS connection was refused, by the codes of Node and OpenSSL. */
const reasons: Readonly<Record<string, string>> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed and is not the certificate in sslrootcert.',
  SELF_SIGNED_CERT_IN_CHAIN: 'it was not issued by the authority in sslrootcert.',
  UNABLE_TO_GET_ISSUER_CERT: 'it was not issued by the authority in sslrootcert.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'it was not issued by the authority in sslrootcert.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'it was not issued by the authority in sslrootcert.',
  CERT_SIGNATURE_FAILURE: 'it was not issued by the authority in sslrootcert.',
  CERT_HAS_EXPIRED: 'it has expired.',
  CERT_NOT_YET_VALID: 'it is not valid yet.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another name than the host.',
};

/** The reason in words if an error says that the server's certificate was refused. */
export function tlsRefusal(error: unknown): string | undefined {
  const code = typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string' ? error.code : '';
  return reasons[code];
}

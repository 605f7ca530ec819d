/** A key that signs certificates, wherever it is kept: in memory, in a KMS, behind PKCS#11. */
export type SigningKey = {
  /** SubjectPublicKeyInfo in DER; EC P-256 or P-384. */
  readonly publicKeyDer: Buffer;
  /** The hash is named, because libraries and services have different defaults. */
  readonly algorithm: 'ecdsa-with-SHA256' | 'ecdsa-with-SHA384';
  /** The signature over `data` (which is not hashed yet), as a DER Ecdsa-Sig-Value. */
  sign(data: Buffer): Promise<Buffer>;
};

/** An authority that issues: its key together with its own certificate in DER. */
export type CertificateSigner = SigningKey & { readonly issuerCertificateDer: Buffer };

/** The issuing authority as the worker holds it. */
export type Issuer = { readonly id: string; readonly signer: CertificateSigner; readonly crlDistributionUrl: string };

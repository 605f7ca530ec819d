import forge from 'node-forge';

type Bag = Pick<forge.pkcs12.Bag, 'attributes'> & { readonly der: Buffer };

/** The keys (PKCS#8) and certificates of a PKCS#12 file, as node-forge finds them, which shares no cryptography with what has made it. */
export function readPkcs12(file: Buffer, password: string): { readonly keys: Bag[]; readonly certificates: Bag[] } {
  const opened = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(file.toString('latin1')), true, password);
  const { certBag = '', pkcs8ShroudedKeyBag = '' } = forge.pki.oids;
  // The library knows no keys on elliptic curves, and hands them on as it has read them.
  const bagsOf = (bagType: string): Bag[] =>
    (opened.getBags({ bagType })[bagType] ?? []).map(({ asn1, attributes }) => ({
      der: Buffer.from(forge.asn1.toDer(asn1).getBytes(), 'latin1'),
      attributes,
    }));
  return { keys: bagsOf(pkcs8ShroudedKeyBag), certificates: bagsOf(certBag) };
}

/** The private key (PKCS#8 DER) of a PKCS#12 file that has one. */
export function privateKeyOf(file: Buffer, password: string): Buffer {
  const [key] = readPkcs12(file, password).keys;
  if (!key) throw new Error('The file has no key.');
  return key.der;
}

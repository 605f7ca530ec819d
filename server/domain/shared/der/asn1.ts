import asn1 from 'node-forge/lib/asn1.js';
import type { asn1 as forge } from 'node-forge';

// The library holds bytes in strings, which cannot be cleared: nothing secret may come here that is not encrypted.

/** An element of DER (X.690) that is not encoded yet. */
export type Asn1 = forge.Asn1;

const { Class, Type } = asn1;
const binary = (bytes: Buffer): string => bytes.toString('latin1');

export const sequence = (...parts: readonly Asn1[]): Asn1 => asn1.create(Class.UNIVERSAL, Type.SEQUENCE, true, [...parts]);

/** The elements in the order that DER prescribes: by their bytes. */
export const set = (...parts: readonly Asn1[]): Asn1 => asn1.create(Class.UNIVERSAL, Type.SET, true, inOrder(parts));

/** Of up to 31 bits. */
export const integer = (value: number): Asn1 => asn1.create(Class.UNIVERSAL, Type.INTEGER, false, asn1.integerToDer(value).getBytes());

/** From its dotted form. */
export const objectIdentifier = (dotted: string): Asn1 => asn1.create(Class.UNIVERSAL, Type.OID, false, asn1.oidToDer(dotted).getBytes());

export const octetString = (bytes: Buffer): Asn1 => asn1.create(Class.UNIVERSAL, Type.OCTETSTRING, false, binary(bytes));
export const bmpString = (text: string): Asn1 => asn1.create(Class.UNIVERSAL, Type.BMPSTRING, false, text);
export const nothing = (): Asn1 => asn1.create(Class.UNIVERSAL, Type.NULL, false, '');

/** [0] around an element. */
export const explicit0 = (part: Asn1): Asn1 => asn1.create(Class.CONTEXT_SPECIFIC, 0, true, [part]);

/** [0] instead of the tag of a set. */
export const implicitSet0 = (...parts: readonly Asn1[]): Asn1 => asn1.create(Class.CONTEXT_SPECIFIC, 0, true, inOrder(parts));

/** [0] instead of the tag of an octet string. */
export const implicitOctets0 = (bytes: Buffer): Asn1 => asn1.create(Class.CONTEXT_SPECIFIC, 0, false, binary(bytes));

/** What has been encoded already, as part of something larger. Throws on anything but one element of DER. */
export const encodedElement = (bytes: Buffer): Asn1 => asn1.fromDer(binary(bytes), true);

/** Its bytes. */
export const encodeDer = (element: Asn1): Buffer => Buffer.from(asn1.toDer(element).getBytes(), 'latin1');

function inOrder(parts: readonly Asn1[]): Asn1[] {
  return parts
    .map((part) => ({ part, bytes: encodeDer(part) }))
    .sort((one, other) => Buffer.compare(one.bytes, other.bytes))
    .map(({ part }) => part);
}

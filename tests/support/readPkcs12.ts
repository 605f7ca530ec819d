import { createDecipheriv, pbkdf2Sync } from 'node:crypto';
import { derElements, type DerElement } from '../../server/domain/shared/der/derElements.ts';

/** The private key (PKCS#8 DER) of a PKCS#12 file as this service writes it, read element by element. */
export function privateKeyOf(file: Buffer, password: string): Buffer {
  const safes = at(file, 0, 1, 1, 0, 0);
  const keyBags = at(safes.contents, 1, 1, 0, 0);
  const [algorithm, encrypted] = inside(at(keyBags.contents, 0, 1, 0));
  const [derivation, cipher] = inside(inside(algorithm)[1]);
  const [salt, iterations] = inside(inside(derivation)[1]);
  const [, iv] = inside(cipher);
  const rounds = iterations!.contents.readUIntBE(0, iterations!.contents.length);
  const key = pbkdf2Sync(password, salt!.contents, rounds, 32, 'sha256');
  const decipher = createDecipheriv('aes-256-cbc', key, iv!.contents);
  return Buffer.concat([decipher.update(encrypted!.contents), decipher.final()]);
}

/** The element that these places lead to, each within the one before. */
function at(der: Buffer, ...places: readonly number[]): DerElement {
  const [place = 0, ...rest] = places;
  const element = derElements(der)[place];
  if (!element) throw new Error('The file has another structure.');
  return rest.length === 0 ? element : at(element.contents, ...rest);
}

function inside(element: DerElement | undefined): DerElement[] {
  return derElements(element?.contents ?? Buffer.alloc(0));
}

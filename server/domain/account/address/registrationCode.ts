import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { crockford } from '../../shared/ids.ts';
import type { KeySet } from '../../shared/keySet.ts';
import { plainCode } from '../typedCode.ts';
import { linkKey } from './linkToken.ts';

/** How many letters and digits a registration's code has. Each is worth 5 bits. */
export const registrationCodeLength = 8;

/** The code of a registration in the same mail as its link, 40 bits, such as `0a1b-2c3d`. It is derived like the link's token. */
export async function registrationCode(em: EntityManager, keys: KeySet, linkId: string): Promise<string> {
  return derivedCode(await linkKey(em, keys, linkId), linkId);
}

/** Whether the text is the link's code, however it is typed. */
export function isRegistrationCode({ readable }: KeySet, linkId: string, typed: string): boolean {
  const presented = Buffer.from(plainCode(typed));
  return readable.some((key) => {
    const code = Buffer.from(plainCode(derivedCode(key, linkId)));
    return code.length === presented.length && timingSafeEqual(code, presented);
  });
}

function derivedCode(key: Buffer, linkId: string): string {
  const text = crockford(
    createHmac('sha256', key)
      .update(`code:${linkId}`)
      .digest()
      .subarray(0, (registrationCodeLength * 5) / 8),
  );
  return text.match(/.{4}/g)?.join('-') ?? '';
}

/** What the database keeps of the secret of the browser that asked. */
export function browserHash(secret: string): Buffer {
  return createHash('sha256').update(`browser:${secret}`).digest();
}

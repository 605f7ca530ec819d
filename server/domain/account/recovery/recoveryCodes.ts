import { createHmac, randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { crockford } from '../../shared/ids.ts';
import type { LookupKeys } from '../../shared/keySet.ts';
import { accountLimits } from '../accountLimits.ts';
import { hasCodeForm, plainCode } from '../typedCode.ts';
import { RecoveryCode } from './RecoveryCode.ts';

/**
 * Creates a new set of recovery codes with 80 random bits each, in the caller's transaction, and returns them. Only their HMACs are stored.
 */
export function createRecoveryCodes(
  tx: EntityManager,
  { operatorId, lookupKeys, now }: { operatorId: string; lookupKeys: LookupKeys; now: Date },
): string[] {
  const codes = Array.from({ length: accountLimits.recoveryCodes }, () => crockford(randomBytes(10)).match(/.{4}/g)?.join('-') ?? '');
  for (const code of codes) {
    tx.persist(tx.create(RecoveryCode, { codeHmac: recoveryCodeHmac(lookupKeys.current, code), operatorId, createdAt: now, usedAt: null }));
  }
  return codes;
}

/** What is stored of a code, however it is typed. */
export function recoveryCodeHmac(lookupKey: Buffer, code: string): Buffer {
  return createHmac('sha256', lookupKey).update('recovery-code:').update(plainCode(code)).digest();
}

/** Whether the text has the form of a recovery code, however it is typed. It says nothing about whether the code exists. */
export function hasRecoveryCodeForm(code: string): boolean {
  return hasCodeForm(code, 16);
}

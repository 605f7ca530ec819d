import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import {
  generateSigningKey,
  keyId,
  softwareKey,
  softwareSigner,
  unwrapKey,
  wrapKey,
  wrappingKeyOf,
  type WrappingKeys,
} from '../../server/platform/keyStore.ts';
import { makeAuthorities } from '../domain/certificate/authorityFactory.ts';

const masterKey = randomBytes(32);
const keys: WrappingKeys = { variable: 'MASTER_KEY', current: masterKey };
const secret = Buffer.from('a secret of some length');

test('a wrapped secret opens again for its purpose, names its key, and never looks the same twice', () => {
  const wrapped = wrapKey(masterKey, 'issuing key', secret);
  expect(unwrapKey(keys, 'issuing key', wrapped)).toEqual(secret);
  expect(unwrapKey(keys, 'empty', wrapKey(masterKey, 'empty', Buffer.alloc(0)))).toEqual(Buffer.alloc(0));
  expect(wrapped.subarray(0, 9)).toEqual(Buffer.concat([Buffer.from([1]), createHash('sha256').update(masterKey).digest().subarray(0, 8)]));
  expect(wrapKey(masterKey, 'issuing key', secret)).not.toEqual(wrapped);
  expect(wrapped.includes(secret)).toBe(false);
});

test('another key, another purpose, another format and every altered byte are refused with the purpose named', () => {
  const other = randomBytes(32);
  const wrapped = wrapKey(masterKey, 'issuing key', secret);
  expect(() => unwrapKey({ ...keys, current: other }, 'issuing key', wrapped)).toThrow(
    `issuing key is wrapped under the key ${keyId(masterKey)}, which this process does not have: MASTER_KEY is the key ${keyId(other)}, and MASTER_KEY_PREVIOUS is not set.`,
  );
  expect(() => unwrapKey(keys, 'cursor key', wrapped)).toThrow('cursor key was altered or belongs to another purpose');
  expect(() => unwrapKey(keys, 'issuing key', Buffer.alloc(10))).toThrow('issuing key has an unknown format');
  expect(() => unwrapKey(keys, 'issuing key', wrapped.subarray(0, -1))).toThrow('issuing key was altered');
  for (let position = 0; position < wrapped.length; position += 1) {
    const changed = Buffer.from(wrapped);
    changed.writeUInt8((changed[position] ?? 0) ^ 1, position);
    expect(() => unwrapKey(keys, 'issuing key', changed)).toThrow('issuing key');
  }
});

test('while a key is being changed, what the previous one wrapped opens as well', () => {
  const changed: WrappingKeys = { ...keys, current: randomBytes(32), previous: masterKey };
  const wrapped = wrapKey(masterKey, 'issuing key', secret);
  expect([unwrapKey(changed, 'issuing key', wrapped), wrappingKeyOf(changed, 'issuing key', wrapped)]).toEqual([secret, masterKey]);
});

test('a master key that is not 32 bytes long is refused', () => {
  expect(() => wrapKey(randomBytes(16), 'issuing key', secret)).toThrow('32 bytes');
});

test('a software signer takes only the key of its certificate, on a curve for signing certificates', async () => {
  const { issuing } = await makeAuthorities(new Date());
  expect(() => softwareSigner(issuing.pem, generateSigningKey('P-256'))).toThrow('does not belong');
  const p521 = generateKeyPairSync('ec', { namedCurve: 'P-521' }).privateKey.export({ format: 'der', type: 'pkcs8' });
  expect(() => softwareKey(p521)).toThrow('P-256 or P-384');
  expect(softwareKey(generateSigningKey('P-384')).algorithm).toBe('ecdsa-with-SHA384');
});

import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { hasClaimTokenForm, newClaimToken } from '../../../../server/domain/certificate/p12/claimTokens.ts';
import { openPackage, recipientKeyOf, sealPackage, type SealedFor } from '../../../../server/domain/certificate/p12/sealPackage.ts';

const own: SealedFor = { certificateId: 'crt_own', environment: 'sandbox' };
const contents = { pkcs12: randomBytes(2_000), password: '0123456789abcdefghjkmnpqr' };

test('what is sealed for a user’s token opens for that token, and never twice the same', async () => {
  const token = newClaimToken();
  const recipient = await recipientKeyOf(token, own);
  const [one, other] = [await sealPackage(recipient, own, contents), await sealPackage(recipient, own, contents)];
  expect(await openPackage(token, own, one)).toEqual(contents);
  expect(await openPackage(token, own, other)).toEqual(contents);
  expect(one.equals(other)).toBe(false);
  expect(one.includes(contents.password)).toBe(false);
});

test('it opens for no other token, no other certificate and no other environment of the user’s, and not with a byte altered', async () => {
  const token = newClaimToken();
  const recipient = await recipientKeyOf(token, own);
  const sealed = await sealPackage(recipient, own, contents);
  const others: SealedFor[] = [
    { ...own, certificateId: 'crt_other' },
    { ...own, environment: 'production' },
  ];
  for (const other of others) {
    await expect(openPackage(token, other, sealed)).rejects.toThrow('The sealed package does not open.');
    expect((await recipientKeyOf(token, other)).equals(recipient)).toBe(false);
    // Sealed to the right key for something else: only the context tells them apart.
    await expect(openPackage(token, own, await sealPackage(recipient, other, contents))).rejects.toThrow('does not open');
  }
  await expect(openPackage(newClaimToken(), own, sealed)).rejects.toThrow('does not open');
  for (const place of [0, 31, 32, 60, sealed.length - 1]) {
    const altered = Buffer.from(sealed);
    altered[place] = altered.readUInt8(place) ^ 1;
    await expect(openPackage(token, own, altered)).rejects.toThrow('does not open');
  }
});

test('a password of another length is not sealed, because it could not be told from the user’s file', async () => {
  const recipient = await recipientKeyOf(newClaimToken(), own);
  for (const password of ['short', `${contents.password}x`, `${contents.password.slice(0, 24)}é`])
    await expect(sealPackage(recipient, own, { ...contents, password })).rejects.toThrow(/25 characters/);
});

test('a user’s claim token is 32 random bytes in one spelling', () => {
  const tokens = Array.from({ length: 20 }, newClaimToken);
  expect(new Set(tokens).size).toBe(20);
  for (const token of tokens) expect([token, hasClaimTokenForm(token)]).toEqual([expect.stringMatching(/^[\w-]{43}$/), true]);
  // The last character carries two bits that are not part of the bytes.
  for (const text of ['', 'A'.repeat(42), 'A'.repeat(44), `${'A'.repeat(42)}B`, `${'A'.repeat(42)}=`, `${'A'.repeat(42)}\n`])
    expect([text, hasClaimTokenForm(text)]).toEqual([text, false]);
});

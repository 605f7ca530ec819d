import { expect, test } from '@jest/globals';
import { readText } from '../../../server/domain/search/readText.ts';
import { explainNoHits } from '../../../server/domain/search/noHits.ts';
import { idPrefixes, newId } from '../../../server/domain/shared/ids.ts';

const id = newId('req', Buffer.alloc(16, 7));

test('an ID is read wherever it stands: alone, in a header, in a common name, in a link, in capitals', () => {
  const whole = { by: 'id', prefix: 'req', from: id, to: id };
  for (const text of [id, ` ${id}\n`, `X-Request-Id: ${id}`, `https://portal.example/x?request=${id}&y`, `"${id}"`, id.toUpperCase()])
    expect([text, readText(text)]).toEqual([text, whole]);
  expect(readText(`svc:sandbox:cli_${id.slice(4)}`)).toMatchObject({ by: 'id', prefix: 'cli' });
});

test('the beginning of an ID stands for all that begin so, from eight characters on', () => {
  expect(readText(id.slice(0, 12))).toEqual({
    by: 'id',
    prefix: 'req',
    from: `${id.slice(0, 12)}${'0'.repeat(18)}`,
    to: `${id.slice(0, 12)}${'z'.repeat(18)}`,
  });
  expect(readText(id.slice(0, 11))).toEqual({ by: 'short', prefix: 'req' });
  expect(readText('req_')).toEqual({ by: 'short', prefix: 'req' });
});

test('what has letters that no ID has, or too many, is no ID', () => {
  for (const text of [`req_${'u'.repeat(26)}`, `${id}0`, `x${id}`, `${id}_`]) expect([text, readText(text).by]).toEqual([text, 'words']);
});

test('a serial or fingerprint is read with colons, spaces and openssl’s label', () => {
  const digits = '0a1b2c3d4e5f60718293a4b5c6d7e8f9';
  for (const text of [
    digits,
    digits.toUpperCase(),
    digits.match(/../g)?.join(':') ?? '',
    `serial=${digits}`,
    `SHA256 Fingerprint=${digits}`,
  ])
    expect(readText(text)).toEqual({ by: 'digits', digits });
});

test('everything else is an address, words, or too little', () => {
  expect(readText('Anna@Example.org')).toEqual({ by: 'address', text: 'anna@example.org' });
  expect(readText('Nordlys Tracker')).toEqual({ by: 'words', text: 'nordlys tracker' });
  expect(readText('n')).toEqual({ by: 'nothing' });
});

test('an address that finds nothing may be the reader’s own, so it is not said to have no account', () => {
  expect(explainNoHits(readText('anna@example.org')).title).toBe('No account found by this address');
});

test('where an ID finds nothing, everybody reads what its prefix names', () => {
  for (const prefix of idPrefixes) {
    const { text } = explainNoHits(readText(newId(prefix)));
    expect(text).toMatch(new RegExp(`^An ID with ${prefix}_ belongs to an? `));
  }
  expect(explainNoHits(readText(id)).text).toContain('kept for 7 days');
});

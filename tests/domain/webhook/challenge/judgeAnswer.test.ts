import { expect, test } from '@jest/globals';
import { judgeAnswer } from '../../../../server/domain/webhook/challenge/judgeAnswer.ts';
import type { OutboundAnswer } from '../../../../server/domain/webhook/WebhookTransport.ts';

const challenge = 'Zm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm9vYmFyZm8';
const answer = (status: number, body: string | Buffer, headers: Record<string, string> = {}): OutboundAnswer => ({
  addresses: [],
  address: '203.0.113.7',
  phases: { dnsUs: null, connectUs: null, tlsUs: null, firstByteUs: null, totalUs: 1 },
  status,
  headers,
  body: Buffer.from(body),
});

test.each([
  ['200', 200, JSON.stringify({ challenge }), {}],
  ['any other 2xx', 299, JSON.stringify({ challenge }), {}],
  ['201 with more members and another content type', 201, JSON.stringify({ ok: true, challenge }), { 'content-type': 'text/plain' }],
  ['a byte order mark before the object', 200, `\ufeff${JSON.stringify({ challenge })}`, {}],
  ['blanks around the object', 200, `\n {"challenge" : "${challenge}"} `, { 'content-encoding': 'identity' }],
])('a receiver proves itself with %s', (_, status, body, headers) => {
  expect(judgeAnswer(answer(status, body, headers), challenge)).toBeNull();
});

test.each([
  [
    'a redirect',
    answer(302, '', { location: 'https://elsewhere.example/' }),
    'status',
    'redirected',
    ['302', 'https://elsewhere.example/'],
  ],
  ['404', answer(404, '<h1>No\u0000such\r\n page</h1>\n'), 'status', 'refused', ['404', '<h1>No\\u{0}such page</h1>']],
  ['500 with the right body', answer(500, JSON.stringify({ challenge })), 'status', 'refused', ['500', JSON.stringify({ challenge })]],
  ['an empty body', answer(204, ''), 'body', 'not_json', []],
  ['the bare string', answer(200, challenge), 'body', 'not_json', [challenge]],
  ['the string as JSON', answer(200, JSON.stringify(challenge)), 'body', 'no_object', [`"${challenge}"`]],
  ['an array', answer(200, JSON.stringify([{ challenge }])), 'body', 'no_object', [JSON.stringify([{ challenge }])]],
  ['null', answer(200, 'null'), 'body', 'no_object', ['null']],
  ['a page of HTML', answer(200, '<!doctype html>'), 'body', 'not_json', ['<!doctype html>']],
  ['a byte order mark alone', answer(200, '\ufeff'), 'body', 'not_json', ['\\u{feff}']],
  ['letters that show nothing', answer(200, '\u200bOK\u3164\u2800'), 'body', 'not_json', ['\\u{200b}OK\\u{3164}\\u{2800}']],
  ['bytes that are not UTF-8', answer(200, Buffer.from([0x7b, 0xff, 0x7d])), 'body', 'not_json', ['{\ufffd}']],
  ['a compressed body', answer(200, 'x', { 'content-encoding': 'gzip' }), 'body', 'compressed', ['gzip']],
  ['other members', answer(200, '{"Challenge":"a","ok":1}'), 'body', 'no_challenge', ['Challenge, ok']],
  ['an inherited member', answer(200, `{"__proto__":{"challenge":"${challenge}"}}`), 'body', 'no_challenge', ['__proto__']],
  ['another string', answer(200, JSON.stringify({ challenge: `${challenge} ` })), 'body', 'other_challenge', [`${challenge}\\u{20}`]],
  ['no string', answer(200, '{"challenge":[1]}'), 'body', 'other_challenge', ['[1]']],
])('a receiver proves nothing with %s, and reads why', (_, given, step, fault, facts) => {
  expect(judgeAnswer(given, challenge)).toEqual({ step, fault, facts });
});

test('whatever a receiver answers, only the beginning is kept', () => {
  const verdict = judgeAnswer(answer(400, '\u{1f600}'.repeat(10_000)), challenge);
  expect(verdict?.facts[1]).toBe('\u{1f600}'.repeat(60));
});

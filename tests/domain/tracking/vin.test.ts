import { expect, test } from '@jest/globals';
import { DomainError } from '../../../server/domain/shared/DomainError.ts';
import { seededRandom } from '../../../server/domain/sandbox/generator/seededRandom.ts';
import type { OrderData } from '../../../server/domain/tracking/allowlist.ts';
import { project } from '../../../server/domain/tracking/project.ts';
import { holdsVin, spellVin } from '../../../server/domain/tracking/vin.ts';

const order: OrderData = { status: 'placed', model: 'Kestrel', market: 'DE' };
const vin = '5YJ3E1EA7KF317000';

const shifted = (zero: number, capital: number) => (text: string) =>
  text.replaceAll(/[0-9A-Z]/g, (each) =>
    String.fromCodePoint(/\d/.test(each) ? zero + Number(each) : capital + each.charCodeAt(0) - 'A'.charCodeAt(0)),
  );
const cyrillic: Readonly<Record<string, string>> = {
  A: 'А',
  B: 'В',
  C: 'С',
  E: 'Е',
  H: 'Н',
  J: 'Ј',
  K: 'К',
  M: 'М',
  P: 'Р',
  T: 'Т',
  X: 'Х',
  Y: 'У',
};
const inCyrillic = (text: string) => text.replaceAll(/[A-Z]/g, (each) => cyrillic[each] ?? each);

function refused(data: OrderData): boolean {
  try {
    project('order', data);
    return false;
  } catch (error) {
    if (error instanceof DomainError) return true;
    throw error;
  }
}

test.each<[string, string]>([
  ['full-width letters', shifted(0xff10, 0xff21)(vin)],
  ['bold mathematical letters', shifted(0x1d7ce, 0x1d400)(vin)],
  ['letters for a typewriter', shifted(0x1d7f6, 0x1d670)(vin)],
  ['Cyrillic letters', inCyrillic(vin)],
  ['Cyrillic letters in groups', inCyrillic('5YJ3E1 EA7KF3 17000')],
  ['small Cyrillic letters', inCyrillic(vin).toLowerCase()],
  ['Greek letters', 'ΜΝΚΧΥ3Ε1ΕΑ7ΚΖ3170'],
  ['letters with marks', [...vin].map((each) => `${each}\u0336`).join('')],
  ['digits of another script', 'WVWZZZAKZAW١٢٣٤٥٦'],
])('a number in %s is refused', (_, text) => {
  expect(holdsVin(text)).toBe(true);
  expect(refused({ ...order, model: text })).toBe(true);
});

test.each<[string, Partial<OrderData>]>([
  ['two fields', { model: 'WVWZZZ1KZ', trim: 'AW123456' }],
  ['two fields after words', { model: 'Kestrel LRWYGCEK', trim: 'XRC123456' }],
  ['colours', { exterior: 'LRWYGCEK', interior: 'XRC123456' }],
  ['a field and the option codes', { interior: 'LRWYGCEK', option_codes: ['XRC12', '3456'] }],
  ['a field and the ship', { option_codes: ['LRWYGCEK'], shipping: { vessel: 'XRC1 2345 6' } }],
  ['four option codes', { option_codes: ['WVWZ', 'ZZ1KZ', 'AW12', '3456'] }],
  ['six option codes', { option_codes: ['MKE', 'WVW', 'ZZZ', '1KZ', 'AW1', '234', '56', 'MKE'] }],
  ['seventeen option codes', { option_codes: [...'WVWZZZ1KZAW123456'] }],
  ['five option codes, with a check digit', { option_codes: ['1M8', 'GDM', '9AXKP', '0427', '88'] }],
  ['voyages', { shipping: { vessel: 'WVWZZZ1KZ', voyage: 'AW123456' } }],
])('a number over %s is refused, although each is harmless by itself', (_, fields) => {
  expect(refused({ ...order, ...fields })).toBe(true);
});

test.each<Partial<OrderData>>([
  { model: 'Model Y', trim: 'Long Range All-Wheel Drive', exterior: 'Pearl White Multi-Coat', interior: 'Black and White' },
  { model: 'EX90', trim: 'Twin Motor Performance 2026', exterior: 'Vapour Grey', interior: 'Charcoal Ventilated Nordico' },
  {
    model: 'i4',
    trim: 'xDrive40 Gran Coupé',
    exterior: 'Frozen Pure Grey',
    option_codes: ['S205A', 'S248A', 'S2VBA', 'S302A', 'S316A', 'S322A', 'S3AGA', 'S403A'],
  },
  {
    model: 'Golf',
    trim: 'GTI Clubsport',
    option_codes: ['0A2', '1KA', '2H5', '3FE', '4A3', '5K7', '6XN', '7X5', '8T8', '9ZX', 'A8B', 'E3A'],
  },
  { model: 'EQS 450 4MATIC', option_codes: ['249', '258', '265', '293', '294', '310', '351', '365', 'P35', 'U26', '9B14', '5K01'] },
  {
    model: 'Taycan Cross Turismo 4',
    exterior: 'Neptunblau',
    option_codes: ['9VL', '8T3', 'QR5', '1N3', '0M4', '2UH', '4F2', '6I3', '9M9'],
  },
  { model: 'MINI Cooper SE', trim: 'Resolute Edition', option_codes: ['S01AE', 'S04NR', 'S0550', 'S06AC', 'S06AE'] },
  { model: 'Нива Легенд', trim: 'Внедорожник', exterior: 'Серебристый металлик', interior: 'Чёрный' },
  { model: 'Κεστρελ Εξπρές', exterior: 'Λευκό περλέ' },
  { model: 'クラウン スポーツ', exterior: 'プレシャスホワイトパール' },
  { model: '海豹 06', exterior: '极地白' },
  { model: 'Mustang Mach-E', shipping: { vessel: 'Höegh Trapper', voyage: '0045W' } },
  { model: 'Kestrel', shipping: { vessel: "Ro-Ro Crow's Nest II", voyage: 'EX2026' } },
])('an ordinary order passes: %j', (fields) => expect(refused({ ...order, ...fields })).toBe(false));

test('lists of random codes as catalogues have them hardly ever spell a number', () => {
  const random = seededRandom('codes');
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
  const letter = () => random.pick([...letters]);
  const digit = () => String(random.between(0, 9));
  const kinds = [
    () => letter() + digit() + letter(),
    () => digit() + letter() + digit(),
    () => `S${digit()}${digit()}${digit()}A`,
    () => digit() + digit() + digit(),
    () => letter() + letter() + digit() + digit(),
    () => digit() + digit() + digit() + digit(),
  ];
  let spelt = 0;
  for (let list = 0; list < 2_000; list += 1) {
    if (spellVin(Array.from({ length: 30 }, () => random.pick(kinds)()))) spelt += 1;
  }
  expect(spelt).toBeLessThan(40);
});

test.each<[string, string]>([
  ['eleven words', 'a b c d e f g h i j k'],
  ['a word of 25 letters', 'x'.repeat(25)],
  ['a long word of letters and digits', 'Kestrel12Performance'],
  ['a word of two scripts', 'Kеstrel'],
])('%s are no name of a catalogue', (_, model) => expect(refused({ ...order, model })).toBe(true));

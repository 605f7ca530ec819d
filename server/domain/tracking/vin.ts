import { vinLookalikes } from './vinLookalikes.ts';

/** A text with fewer characters holds no vehicle identification number (ISO 3779). */
const vinLength = 17;
/** In one piece: letters and digits without I, O and Q. */
const inOnePiece = /[A-HJ-NPR-Z0-9]{17}/;
/** The last four are digits. A check digit is no help: European numbers have none. */
const shape = /^[A-HJ-NPR-Z0-9]{13}\d{4}$/;
const anyShape = /[A-HJ-NPR-Z0-9]{13}\d{4}/;
const shapeAnywhere = /(?=([A-HJ-NPR-Z0-9]{13}\d{4}))/g;
/** As many pieces may be a number that somebody wrote in groups; of more, each may well be a code, so more has to speak for a number. */
const mostGroups = 3;
/** Makers of passenger cars by the first three characters (ISO 3780): those whose numbers have no check digit, and some others. */
const makers = new Set(
  '5YJ 7SA JAA JF1 JF2 JHM JM1 JMB JMZ JN1 JS2 JSA JTD JTE JTH JTM JTN KL1 KMH KM8 KNA KND KPT LRW LSJ MAL NLH NMT SAJ SAL SAR SB1 SCA SCB SCC SHH SJN TMA TMB TRU TSM UU1 VF1 VF3 VF7 VNK VR1 VR3 VR7 VSS VSX VWV W0L W0V W1K W1N W1V WAP WAU WBA WBS WBY WDB WDC WDD WDF WF0 WMA WME WMW WP0 WP1 WUA WV1 WV2 WVG WVW XP7 XTA YS3 YSM YV1 YV4 ZAM ZAR ZFA ZFF ZHW'.split(
    ' ',
  ),
);
/** What each letter counts in a check digit, and each place (49 CFR 565.15); North America and China require one. */
const values = new Map([...'ABCDEFGHJKLMNPRSTUVWXYZ'].map((letter, at) => [letter, Number('12345678123457923456789'[at])] as const));
const weights = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];

const plain = /^[\x20-\x7e]*$/;
const standsFor = new Map(vinLookalikes.flatMap(([letter, alike]) => [...alike].map((each) => [each, letter] as const)));

/**
 * The text in capitals, with every character that can stand for one of such a number replaced by it: full-width, mathematical and circled
 * ones by their decomposition (NFKD), those of other scripts that look alike, and the digits of other scripts. Marks and characters that
 * nobody sees are left out.
 */
function folded(text: string): string {
  if (plain.test(text)) return text.toUpperCase();
  const letters = text.normalize('NFKD').replaceAll(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '');
  return Array.from(
    letters,
    (each) => standsFor.get(each) ?? standsFor.get(each.toUpperCase()) ?? (/\p{Nd}/u.test(each) && each > '9' ? '0' : each),
  )
    .join('')
    .toUpperCase();
}

/**
 * Whether a text holds a vehicle identification number. In one piece, any text of its letters is refused. In groups, where the words of a
 * name might happen to form one, it is refused only if it has more digits than a year.
 */
export function holdsVin(text: string): boolean {
  if (text.length < vinLength) return false;
  const letters = folded(text);
  // Words of other scripts have letters that look like those of a number, but not its digits.
  if (plain.test(text) && inOnePiece.test(letters)) return true;
  const joined = letters.replaceAll(/[^\p{L}\p{N}]/gu, '');
  return [...joined.matchAll(shapeAnywhere)].some(([, found = '']) => digitsIn(found) > 4);
}

/**
 * Whether neighbouring pieces, whole words of several fields or option codes, form exactly such a number. One of many pieces begins as those of a
 * known maker or has the check digit of North America and China.
 */
export function spellVin(texts: readonly string[]): boolean {
  const pieces = folded(texts.join(' ')).match(/[\p{L}\p{N}]+/gu) ?? [];
  if (!anyShape.test(pieces.join(''))) return false;
  return pieces.some((_, start) => {
    let joined = '';
    for (let end = start; end < pieces.length && joined.length < vinLength; end += 1) {
      joined += pieces[end];
      if (joined.length === vinLength && end > start && isVin(joined, end - start + 1)) return true;
    }
    return false;
  });
}

function isVin(joined: string, pieces: number): boolean {
  if (!shape.test(joined)) return false;
  if (pieces <= mostGroups) return digitsIn(joined) > 4;
  return makers.has(joined.slice(0, 3)) || (/^[1-57L]/.test(joined) && vinLength - digitsIn(joined) >= 5 && hasCheckDigit(joined));
}

function hasCheckDigit(vin: string): boolean {
  const sum = weights.reduce((total, weight, at) => total + weight * (values.get(vin.charAt(at)) ?? Number(vin.charAt(at))), 0);
  return vin.charAt(8) === '0123456789X'.charAt(sum % 11);
}

function digitsIn(text: string): number {
  return text.match(/\d/g)?.length ?? 0;
}

import { idPrefixes, type IdPrefix } from '../shared/ids.ts';
import { foldText } from '../shared/text/writtenText.ts';

export type Asked =
  /** Identifiers from the first to the last of these: one that is whole, or all that begin with the text. */
  | { readonly by: 'id'; readonly prefix: IdPrefix; readonly from: string; readonly to: string }
  /** The beginning of an identifier that is too short to look for. */
  | { readonly by: 'short'; readonly prefix: IdPrefix }
  /** A certificate’s serial or fingerprint. */
  | { readonly by: 'digits'; readonly digits: string }
  | { readonly by: 'address'; readonly text: string }
  | { readonly by: 'words'; readonly text: string }
  | { readonly by: 'nothing' };

const idLength = 26;
/** Forty bits: nobody meets one by chance, and a log that cuts identifiers short leaves so many. */
const least = 8;

const anyId = new RegExp(`(?<![a-z0-9_])(${idPrefixes.join('|')})_([0-9a-hjkmnp-tv-z]*)(?![a-z0-9_])`);

/**
 * Reads what somebody has typed or pasted. An identifier may stand in other text, such as a header, a common name or a link; a serial or
 * fingerprint may have colons and openssl’s label.
 */
export function readText(pasted: string): Asked {
  const text = foldText(pasted.trim());
  const [, prefix, characters = ''] = anyId.exec(text) ?? [];
  if (prefix !== undefined && characters.length <= idLength) return idsFrom(prefix as IdPrefix, characters);
  const digits = text.replace(/^(?:serial|sha256 fingerprint)=/, '').replaceAll(/[:\s]/g, '');
  if (/^[0-9a-f]{16,64}$/.test(digits)) return { by: 'digits', digits };
  if (text.includes('@')) return { by: 'address', text };
  return text.length < 2 ? { by: 'nothing' } : { by: 'words', text };
}

/**
 * All identifiers that begin so lie between the one that goes on with nothing but the alphabet’s first character and the one with its last,
 * whatever the database’s collation.
 */
function idsFrom(prefix: IdPrefix, characters: string): Asked {
  if (characters.length < least) return { by: 'short', prefix };
  return { by: 'id', prefix, from: `${prefix}_${characters.padEnd(idLength, '0')}`, to: `${prefix}_${characters.padEnd(idLength, 'z')}` };
}

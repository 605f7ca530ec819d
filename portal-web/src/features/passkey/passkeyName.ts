import { tooLong } from '../../ui/forms/tooLong.ts';

export const passkeyNameCharacters = 60;

/** A character that shows something: the service's rule (`isBlank`), which a test compares. */
const glyph = /(?![\p{Default_Ignorable_Code_Point}\u2800\u{1d159}])[\p{L}\p{N}\p{P}\p{S}]/u;

/** What is wrong with the name of a passkey, told before the device makes one that the service would refuse; null if nothing is. */
export function passkeyNameComplaint(name: string): string | null {
  const { length } = [...name.trim()];
  if (length > passkeyNameCharacters) return tooLong(length, passkeyNameCharacters);
  return glyph.test(name) ? null : 'Give the passkey a name that you will recognise later.';
}

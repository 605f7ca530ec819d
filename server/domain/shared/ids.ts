import { randomBytes } from 'node:crypto';

/** Crockford's base32, in lower case. */
export const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** What an identifier can stand for. The prefix is part of the identifier. */
export const idPrefixes = [
  'opr',
  'int',
  'cli',
  'crt',
  'con',
  'ord',
  'veh',
  'rev',
  'evt',
  'gen',
  'req',
  'ses',
  'lnk',
  'emc',
  'svt',
  'bmr',
  'agr',
  'lgo',
  'mail',
  'key',
  'sub',
  'whk',
  'whc',
  'dlv',
  'wrp',
  'wrc',
  'wsm',
  'pgc',
  'rst',
] as const;
export type IdPrefix = (typeof idPrefixes)[number];

/** Lower-case Crockford base32 without padding, most significant bits first. */
export function crockford(bytes: Uint8Array): string {
  let text = '';
  let buffer = 0;
  let bits = 0;
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      text += alphabet[(buffer >>> bits) & 31];
    }
    buffer &= (1 << bits) - 1;
  }
  return bits > 0 ? text + alphabet[(buffer << (5 - bits)) & 31] : text;
}

/** A prefix and 26 characters for 128 random bits (or for the 16 bytes given), such as `cli_0a…`. */
export function newId(prefix: IdPrefix, bytes: Uint8Array = randomBytes(16)): string {
  return `${prefix}_${crockford(bytes)}`;
}

/** Whether the text has the form of an identifier with this prefix. It says nothing about whether one exists. */
export function hasIdForm(prefix: IdPrefix, text: string): boolean {
  return text.length === prefix.length + 27 && text.startsWith(`${prefix}_`) && /^[0-9a-hjkmnp-tv-z]{26}$/.test(text.slice(-26));
}

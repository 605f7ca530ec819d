import type { Piece } from './referenceTypes.ts';

const parts = /(?<text>"(?:[^"\\]|\\.)*")(?<colon>\s*:)?|(?<value>-?\b\d+(?:\.\d+)?\b|\b(?:true|false|null)\b)/g;

/** Divides JSON into names, texts and other values. What is not JSON stays as it is. */
export const colourJson = (code: string): Piece[] => (/^\s*[[{]/.test(code) ? colourPart(code) : [['', code]]);

/** The same for a part of JSON, such as one of its lines. */
export function colourPart(code: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { 0: whole, index, groups = {} } of code.matchAll(parts)) {
    pieces.push(['', code.slice(at, index)]);
    if (groups['text'] === undefined) pieces.push(['number', whole]);
    else pieces.push([groups['colon'] === undefined ? 'string' : 'keyword', groups['text']], ['', groups['colon'] ?? '']);
    at = index + whole.length;
  }
  return [...pieces, ['', code.slice(at)]];
}

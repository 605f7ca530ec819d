import { colourPart } from '../reference/colourJson.ts';
import type { Piece } from '../reference/referenceTypes.ts';

/** How many members of a record are shown. With the braces and what is left out, that makes about a dozen lines. */
const shownMembers = 10;

type Line = { readonly key: string; readonly pieces: readonly Piece[] };

/** A record in about twelve lines, one for each of its first members, in their colours; how many there are besides is said. */
export function recordLines(record: Readonly<Record<string, unknown>>): readonly Line[] {
  const members = Object.entries(record);
  const left = members.length - shownMembers;
  const shown = members
    .slice(0, shownMembers)
    .map(([key, value], place) => ({ key, pieces: colourPart(`  "${key}": ${inLine(value)}${place === members.length - 1 ? '' : ','}`) }));
  return [
    brace('{'),
    ...shown,
    ...(left > 0 ? [{ key: '…', pieces: [['comment', `  … and ${left} more ${left === 1 ? 'field' : 'fields'}`]] as const }] : []),
    brace('}'),
  ];
}

const brace = (key: string): Line => ({ key, pieces: [['', key]] });

/** With a space after each colon and comma between members, as people write it. */
function inLine(value: unknown): string {
  return JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
}

/** How many members of a record are shown. With the braces and what is left out, that makes about a dozen lines. */
const shownMembers = 10;

/** A record in about twelve lines, one for each of its first members; how many there are besides is said. `json` is an object. */
export function recordLines(json: string): readonly { readonly key: string; readonly text: string }[] {
  const members = Object.entries(JSON.parse(json) as Readonly<Record<string, unknown>>);
  const left = members.length - shownMembers;
  const shown = members
    .slice(0, shownMembers)
    .map(([key, value], place) => ({ key, text: `  "${key}": ${inLine(value)}${place === members.length - 1 ? '' : ','}` }));
  return [
    { key: '{', text: '{' },
    ...shown,
    ...(left > 0 ? [{ key: '…', text: `  … and ${left} more ${left === 1 ? 'field' : 'fields'}` }] : []),
    { key: '}', text: '}' },
  ];
}

/** With a space after each colon and comma between members, as people write it. */
function inLine(value: unknown): string {
  return JSON.stringify(value, null, 1).replaceAll(/\n\s*/g, ' ');
}

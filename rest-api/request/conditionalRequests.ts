const entityTag = /^(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")$/;

/**
 * Whether If-None-Match holds the current validator (RFC 9110, section 13.1.2: weak comparison, lists, `*`). What cannot be parsed is
 * ignored: the answer is then complete.
 */
export function matchesNone(header: string | undefined, validator: string): boolean {
  if (header === undefined) return false;
  const value = header.trim();
  if (value === '*') return true;
  const tags = splitTags(value);
  return tags !== null && tags.includes(validator);
}

/** Whether If-None-Match names what its sender has stored: one tag or more, that can be parsed. */
export function namesTags(header: string | undefined): boolean {
  return header !== undefined && (splitTags(header.trim())?.length ?? 0) > 0;
}

function splitTags(value: string): string[] | null {
  const tags: string[] = [];
  // A comma may stand inside a tag, so that splitting at commas alone would be wrong.
  for (const part of value.match(/(?:W\/)?"[^"]*"|[^\s,"]+/g) ?? []) {
    const tag = entityTag.exec(part)?.[1];
    if (tag === undefined) return null;
    tags.push(tag);
  }
  return tags;
}

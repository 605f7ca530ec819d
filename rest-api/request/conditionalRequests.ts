const entityTag = /^(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")$/;

/**
 * Whether If-None-Match names the current validator (RFC 9110, section 13.1.2: weak comparison, lists, `*`). A header that cannot be parsed
 * is ignored, so the answer is complete.
 */
export function matchesNone(header: string | undefined, validator: string): boolean {
  if (header === undefined) return false;
  const value = header.trim();
  if (value === '*') return true;
  const tags = splitTags(value);
  return tags !== null && tags.includes(validator);
}

/** Whether If-None-Match names a response that its sender has stored: it has at least one tag and can be parsed. */
export function namesTags(header: string | undefined): boolean {
  return header !== undefined && (splitTags(header.trim())?.length ?? 0) > 0;
}

function splitTags(value: string): string[] | null {
  const tags: string[] = [];
  // A comma may be part of a tag, so splitting at every comma would be wrong.
  for (const part of value.match(/(?:W\/)?"[^"]*"|[^\s,"]+/g) ?? []) {
    const tag = entityTag.exec(part)?.[1];
    if (tag === undefined) return null;
    tags.push(tag);
  }
  return tags;
}

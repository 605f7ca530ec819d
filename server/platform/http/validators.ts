import { createHash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { ContentCoding } from './contentCoding.ts';

/** What tells whether a stored copy is still right: the strong ETag of the uncoded bytes, and when they last changed, if that is known. */
type Validators = { readonly etag: string; readonly lastModified?: Date | undefined };

type ConditionalHeaders = Pick<IncomingHttpHeaders, 'if-none-match' | 'if-modified-since'>;

const entityTag = /^(?:W\/)?("[\x21\x23-\x7e\x80-\xff]*")$/;
/** What we, and proxies that compress, append to an ETag for each coding: `-gzip`, `--gzip`, `;gzip`, `:gzip`. */
const codingSuffix = /(?:--|[-;:])(?:x-)?(?:zstd|gzip|br|deflate|identity)"$/;
/** The three forms of a date (RFC 9110, section 5.6.7). */
const httpDates = [
  /^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{5,8}, \d\d-[A-Z][a-z]{2}-\d\d \d\d:\d\d:\d\d GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4}$/,
];
/** The clocks of our processes may differ by as much. */
const settledAfter = 2_000;

/**
 * Whether the sender of a GET or HEAD already has this (RFC 9110, section 13.2.2): If-None-Match decides if it is there, otherwise
 * If-Modified-Since. A value that cannot be parsed is ignored, so the answer is complete.
 */
export function isUnchanged(headers: ConditionalHeaders, { etag, lastModified }: Validators): boolean {
  const { 'if-none-match': tags, 'if-modified-since': since } = headers;
  if (tags !== undefined) return matchesNone(tags, etag);
  if (since === undefined || lastModified === undefined) return false;
  const date = readDate(since);
  return date !== null && secondOf(lastModified) <= date;
}

/**
 * Whether If-None-Match names the current validator (section 13.1.2: weak comparison, lists, `*`), be it in another coding or weakened by a
 * proxy.
 */
export function matchesNone(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const value = header.trim();
  if (value === '*') return true;
  return splitTags(value)?.some((tag) => tag === etag || tag.replace(codingSuffix, '"') === etag) ?? false;
}

/** Whether If-None-Match names a response that its sender has stored: it has at least one tag and can be parsed. */
export function namesTags(header: string | undefined): boolean {
  return header !== undefined && (splitTags(header.trim())?.length ?? 0) > 0;
}

/** The strong ETag of these bytes. */
export function etagOf(body: string | Buffer): string {
  return `"${createHash('sha256').update(body).digest('base64url')}"`;
}

/** The ETag of the bytes in a coding, which are other bytes (section 8.8.3.3). */
export function codedEtag(etag: string, coding: ContentCoding | null): string {
  return coding === null ? etag : `${etag.slice(0, -1)}-${coding}"`;
}

/**
 * The ETag of a 304: of the coding that would have been sent, `coding`. Short bodies are sent without one, and how long it is need not be known
 * here: a client that names the ETag without a coding gets that back.
 */
export function unchangedEtag(header: string | undefined, etag: string, coding: ContentCoding | null): string {
  const coded = codedEtag(etag, coding);
  const named = splitTags(header?.trim() ?? '') ?? [];
  return named.includes(etag) && !named.includes(coded) ? etag : coded;
}

/**
 * The date to tell as Last-Modified, if there may be one: within the second of a change, a copy of what was before could not be told from what
 * is there now (section 8.8.2.2).
 */
export function settledDate(lastModified: Date | undefined, now: Date): Date | undefined {
  if (lastModified === undefined) return undefined;
  return now.getTime() >= secondOf(lastModified) + 1000 + settledAfter ? lastModified : undefined;
}

/** The beginning of the second of a date: its header has no fractions. */
function secondOf(date: Date): number {
  return Math.floor(date.getTime() / 1000) * 1000;
}

function readDate(text: string): number | null {
  if (!httpDates.some((form) => form.test(text))) return null;
  const date = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
  return Number.isNaN(date) ? null : date;
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

import type { Context } from 'koa';
import { codedEtag, etagOf, isUnchanged, settledDate, unchangedEtag } from '../platform/http/validators.ts';
import { type CodedBytes, type ContentCoding, encodeFor, wishedCoding } from '../platform/http/contentCoding.ts';

/** A document that everybody who may read it gets alike, and that holds nothing of the request. */
type StaticDocument = {
  readonly type: string;
  readonly body: string | Buffer;
  /** The strong validator of the body; made from it unless it is known. */
  readonly etag?: string;
  readonly lastModified?: { readonly at: Date; readonly now: Date };
};

/** The media types that become much shorter. Pictures, certificates and revocation lists do not. */
const compressible = /^text\/|[/+](json|xml|yaml|javascript|atom)\b/;

/**
 * Sends a document with its validators, in the coding that the caller wishes; or answers 304 to a client that has it (RFC 9110, section
 * 13.2.2). Koa’s own `fresh` obeys the request’s Cache-Control, which fetch adds of its own accord when If-None-Match is set.
 */
export async function sendDocument(ctx: Context, { type, body, etag = etagOf(body), lastModified }: StaticDocument): Promise<void> {
  const isCoded = compressible.test(type);
  const acceptEncoding = isCoded ? ctx.req.headers['accept-encoding'] : undefined;
  if (isCoded) ctx.vary('Accept-Encoding');
  ctx.set('Content-Type', type);
  const date = settledDate(lastModified?.at, lastModified?.now ?? new Date());
  if (answerUnchanged(ctx, { etag, lastModified: date, coding: wishedCoding(acceptEncoding).coding })) return;
  const { bytes, coding } = await coded(etag, acceptEncoding, Buffer.from(body));
  if (coding !== null) ctx.set({ 'Content-Encoding': coding, ETag: codedEtag(etag, coding) });
  ctx.body = bytes;
}

/** Sets validators, with an ETag without a coding, and answers 304 if the caller has it. Returns whether it has. */
export function answerUnchanged(
  ctx: Context,
  { etag, lastModified, coding }: { etag: string; lastModified: Date | undefined; coding: ContentCoding | null },
): boolean {
  const { headers } = ctx.req;
  ctx.set({ ETag: etag, ...(lastModified && { 'Last-Modified': lastModified.toUTCString() }) });
  if (!isUnchanged(headers, { etag, lastModified })) return false;
  ctx.set('ETag', unchangedEtag(headers['if-none-match'], etag, coding));
  ctx.status = 304;
  return true;
}

const keptDocuments = 200;
const kept = new Map<string, Buffer>();

/** The documents are few and seldom change, so each is compressed once. */
async function coded(etag: string, acceptEncoding: string | undefined, bytes: Buffer): Promise<CodedBytes> {
  const { coding } = wishedCoding(acceptEncoding);
  const known = coding && kept.get(codedEtag(etag, coding));
  if (known) return { bytes: known, coding };
  const made = await encodeFor(acceptEncoding, bytes);
  if (made.coding === null) return made;
  kept.set(codedEtag(etag, made.coding), made.bytes);
  const [oldest] = kept.keys();
  if (kept.size > keptDocuments && oldest !== undefined) kept.delete(oldest);
  return made;
}

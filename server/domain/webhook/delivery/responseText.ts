const most = 2_048;

/**
 * The beginning of a response's body as text that PostgreSQL stores and a page shows: at most 2 KiB in UTF-8, with a replacement character
 * for every byte that is not UTF-8 and for NUL. Returns null for an empty body.
 */
export function responseText(body: Buffer | undefined): string | null {
  if (!body || body.length === 0) return null;
  // A character that the cut divides is left out, unless its bytes were wrong anyway.
  const text = new TextDecoder('utf-8').decode(body.subarray(0, most), { stream: body.length > most }).replaceAll('\0', '\uFFFD');
  if (Buffer.byteLength(text) <= most) return text;
  // Replacement characters take three bytes where there was one.
  return new TextDecoder('utf-8').decode(Buffer.from(text).subarray(0, most), { stream: true });
}

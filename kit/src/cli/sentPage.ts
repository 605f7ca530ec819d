import { bodyOf } from '../client/answers.ts';
import type { Answer } from '../client/calls.ts';
import type { SyncPage } from '../contract/contract.ts';
import { sentText } from '../sync/FeedStore.ts';

/** Characters of JSON by their codes. */
const [quote, backslash, brace, bracket, endOfBrace, endOfBracket] = [0x22, 0x5c, 0x7b, 0x5b, 0x7d, 0x5d] as const;
/** How deep a record of a page lies. */
const recordDepth = 3;

/**
 * A page whose snapshots are stored as the text that was sent: a copy reads nothing inside them, and to parse and write each takes a quarter of
 * its time. Of a snapshot, only what stands at its top is there. Tombstones are whole.
 */
export function sentPage(answer: Answer): SyncPage {
  const text = answer.body.toString();
  const texts: string[] = [];
  let outline = '';
  let kept = 0;
  let start = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) at = endOfString(text, at);
    else if (code === brace || code === bracket) {
      depth += 1;
      if (depth === recordDepth) start = at;
      else if (depth === recordDepth + 1) outline += text.slice(kept, at);
    } else if (code === endOfBrace || code === endOfBracket) {
      depth -= 1;
      if (depth === recordDepth - 1) texts.push(text.slice(start, at + 1));
      else if (depth === recordDepth) {
        outline += 'null';
        kept = at + 1;
      }
    }
  }
  const page = bodyOf({ ...answer, body: Buffer.from(outline + text.slice(kept)) }) as SyncPage;
  const records = Object.values(page).flatMap((each) => Object.values((each ?? {}) as object).filter(isObject));
  if (records.length !== texts.length) return bodyOf(answer) as SyncPage;
  for (const [at, record] of records.entries()) {
    const sent = texts[at] ?? '';
    Object.assign(record, 'revision' in record ? { [sentText]: sent } : (JSON.parse(sent) as object));
  }
  return page;
}

/** Where the string that begins here ends. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from + 1); at > 0; at = text.indexOf('"', at + 1)) {
    let before = at;
    while (text.charCodeAt(before - 1) === backslash) before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
  return text.length;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

import { refuseInvalid } from '../shared/DomainError.ts';
import { limits } from '../shared/limits.ts';
import { type Section, sections } from './allowlist.ts';
import { diff } from './diff.ts';
import type { Projection } from './project.ts';

/** One history item of one section, as `tracked_change` keeps it; `changes` is JSON text. */
export type NewHistoryItem = { readonly section: Section; readonly sequence: number; readonly changes: string };

/**
 * What the change from one projection to the next (null if the resource is new) adds to its history, with one item for each section.
 * Sequences are the recorded milliseconds, or one more than the last sequence if that is not less. They have gaps anyway, so the gap of an
 * item that a client may not see tells nothing. Throws `invalid_request` for `path` if an item exceeds 16,000 bytes.
 */
export function historyItems(
  { before, after, lastSequence }: { before: Projection | null; after: Projection; lastSequence: number },
  { recordedAt, path }: { recordedAt: Date; path: string },
): NewHistoryItem[] {
  const changed = diff(before, after);
  const items: NewHistoryItem[] = [];
  for (const section of sections) {
    if (changed[section].length === 0) continue;
    const changes = JSON.stringify(changed[section]);
    const bytes = Buffer.byteLength(changes);
    const message = `A history item can have at most ${limits.historyItemBytes} bytes; this one would have ${bytes}.`;
    refuseInvalid(bytes <= limits.historyItemBytes ? [] : [{ path, message }]);
    items.push({ section, sequence: Math.max((items.at(-1)?.sequence ?? lastSequence) + 1, recordedAt.getTime()), changes });
  }
  return items;
}

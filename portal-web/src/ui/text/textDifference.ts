import { diffArrays, diffWordsWithSpace } from 'diff';

/** A stretch of words that both texts have, or that only the later (`added`) or only the earlier one (`removed`) has. */
export type WordRun = { readonly kind: 'same' | 'added' | 'removed'; readonly text: string };

/** A run of paragraphs that both texts have, or one paragraph with its words. */
type TextBlock =
  | { readonly kind: 'same'; readonly paragraphs: readonly string[] }
  | { readonly kind: 'changed'; readonly words: readonly WordRun[] };

/** How two texts differ, paragraph by paragraph (blank lines divide them), and within a paragraph that stands in both word by word. */
export function textDifference(before: string, after: string): TextBlock[] {
  const blocks: TextBlock[] = [];
  let removed: string[] = [];
  const withoutPartners = () => blocks.push(...pairs(removed.splice(0), []));
  for (const { value, added, removed: gone } of diffArrays(paragraphsOf(before), paragraphsOf(after))) {
    if (gone) removed = value;
    else if (added) blocks.push(...pairs(removed.splice(0), value));
    else {
      withoutPartners();
      blocks.push({ kind: 'same', paragraphs: value });
    }
  }
  withoutPartners();
  return blocks;
}

/** The words of two versions of one paragraph. */
export function wordDifference(before: string, after: string): WordRun[] {
  return diffWordsWithSpace(before, after).map(({ value, added, removed }) => ({
    kind: added ? 'added' : removed ? 'removed' : 'same',
    text: value,
  }));
}

function paragraphsOf(text: string): string[] {
  return text
    .replaceAll('\r\n', '\n')
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter(Boolean);
}

/**
 * Paragraphs that were removed and added at one place. Those that share enough words are versions of one paragraph; the order stays, and of
 * others the old ones come first.
 */
function pairs(removed: readonly string[], added: readonly string[]): TextBlock[] {
  let next = 0;
  const partners = added.map((paragraph) => {
    const partner = removed.findIndex((each, place) => place >= next && likeness(each, paragraph) >= alike);
    if (partner !== -1) next = partner + 1;
    return partner;
  });
  next = 0;
  const blocks = added.flatMap((paragraph, place) => {
    const partner = partners[place] ?? -1;
    const isLast = partners.slice(place).every((each) => each === -1);
    const gone = removed.slice(next, partner !== -1 ? partner : isLast ? undefined : next).map((each) => whole('removed', each));
    next += gone.length;
    if (partner === -1) return [...gone, whole('added', paragraph)];
    next += 1;
    return [...gone, { kind: 'changed' as const, words: wordDifference(removed[partner] ?? '', paragraph) }];
  });
  return [...blocks, ...removed.slice(next).map((each) => whole('removed', each))];
}

/** Below this share of common words, a reader is better served by the old paragraph and then the new one. */
const alike = 0.4;

function likeness(one: string, other: string): number {
  const [few, many] = [one, other].map((text) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])) as [Set<string>, Set<string>];
  const common = [...few].filter((word) => many.has(word)).length;
  return (2 * common) / Math.max(1, few.size + many.size);
}

function whole(kind: 'added' | 'removed', text: string): TextBlock {
  return { kind: 'changed', words: [{ kind, text }] };
}

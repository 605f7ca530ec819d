import type { AttentionItem } from '../notification/words/AttentionItem.ts';
import { actOn } from '../notification/words/attentionKinds.ts';
import { counted } from '../shared/text/numberWords.ts';

/** Fewer equal needs are told one by one, each with its own act. */
const fewestGrouped = 3;

/**
 * The same with one line for needs that differ in nothing but their integration, such as “No production certificate: 120 integrations”. What
 * has a deadline stays by itself.
 */
export function groupedNeeds(items: readonly AttentionItem[]): AttentionItem[] {
  // A group stands where its first need is found, which is the order of a Map.
  return [...Map.groupBy(items, sameness)].flatMap(([name, group]) => {
    const [first] = group;
    return first && typeof name === 'string' && group.length >= fewestGrouped ? [asOne(name, first, group)] : group;
  });
}

/** What stays by itself is the same as nothing else, and needs no name. */
function sameness(item: AttentionItem): string | AttentionItem {
  const { kind, level, title, several = title, text, deadline, integration } = item;
  return deadline === null && integration !== null ? `${kind}\n${level}\n${several}\n${text}` : item;
}

function asOne(name: string, first: AttentionItem, group: readonly AttentionItem[]): AttentionItem {
  const slugs = new Set(group.map(({ integration }) => integration?.slug));
  const oldest = group.reduce((before, { since }) => Math.min(before, since?.getTime() ?? before), Number.POSITIVE_INFINITY);
  return {
    ...first,
    id: `several:${name}`,
    title: `${first.several ?? first.title}: ${counted(slugs.size, 'integration')}`,
    since: Number.isFinite(oldest) ? new Date(oldest) : null,
    act: actOn('integrations', 'Show them', null, first.kind),
    // Each has its own.
    detail: null,
    integration: null,
  };
}

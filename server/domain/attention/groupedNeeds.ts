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
  const groups = Map.groupBy(items, sameness);
  return items.flatMap((item) => {
    const group = groups.get(sameness(item)) ?? [];
    if (group.length < fewestGrouped) return [item];
    return item === group[0] ? [asOne(item, group)] : [];
  });
}

function sameness({ id, kind, level, title, text, deadline, integration }: AttentionItem): string {
  return deadline === null && integration !== null ? [kind, level, title, text].join('\n') : id;
}

function asOne(item: AttentionItem, group: readonly AttentionItem[]): AttentionItem {
  const slugs = new Set(group.map(({ integration }) => integration?.slug));
  const since = group.map((each) => each.since?.getTime() ?? Number.POSITIVE_INFINITY);
  const oldest = Math.min(...since);
  return {
    ...item,
    id: `several:${sameness(item)}`,
    title: `${item.several ?? item.title}: ${counted(slugs.size, 'integration')}`,
    since: Number.isFinite(oldest) ? new Date(oldest) : null,
    act: actOn('integrations', 'Show them', null, item.kind),
    integration: null,
  };
}

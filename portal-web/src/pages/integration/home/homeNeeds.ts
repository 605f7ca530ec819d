import type { AttentionItem, Together } from '../../../features/attention/attentionFragment.ts';

/** How much of what needs the reader is shown before the table. The inbox has more of it. */
const shownNeeds = 10;
/** Of how many integrations it is listed what they have to delete. */
const shownDeletions = 6;

type HomeNeeds = {
  readonly items: readonly AttentionItem[];
  /** Null where fewer than two ask for deletions. */
  readonly together: Together | null;
  /** How many are in the inbox alone. */
  readonly more: number;
};

/**
 * What home shows of what needs the reader, of `count` in all. What is to be deleted by when is one line with a row for each integration, which
 * add up. What is suspended for a missed deletion also has a line of its own.
 */
export function homeNeeds(needs: readonly AttentionItem[], count: number, inAll: Together['inAll']): HomeNeeds {
  const asking = needs.filter(({ deletions }) => deletions !== null);
  if (asking.length < 2) {
    const items = needs.slice(0, shownNeeds);
    return { items, together: null, more: count - items.length };
  }
  const listed = asking.slice(0, shownDeletions);
  const items = needs.filter(({ kind }) => kind !== 'deletions').slice(0, shownNeeds - 1);
  const more = {
    count: inAll.count - listed.reduce((total, { deletions }) => total + (deletions?.count ?? 0), 0),
    integrations: inAll.integrations - listed.length,
  };
  const before = Math.min(
    needs.findIndex(({ deletions }) => deletions !== null),
    items.length,
  );
  const alone = listed.filter((each) => !items.includes(each));
  return { items, together: { before, items: listed, inAll, more }, more: count - items.length - alone.length };
}

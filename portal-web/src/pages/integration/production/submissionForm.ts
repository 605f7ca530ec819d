import { counted } from '../../../ui/text/counted.ts';
import type { ChecklistItem, OwnSubmission, Production } from './productionQuery.ts';

export type Item = ChecklistItem['item'];
type Draft = Production['integration']['submissionDraft'];
type LastSubmission = Pick<OwnSubmission, 'status' | 'reviewUrl'> & {
  checklist: readonly { item: Item; word: string | null; verdict: { met: boolean } | null }[];
};

/** What the form has. */
export type FormValues = {
  readonly reviewUrl: string;
  readonly ticked: ReadonlySet<Item>;
  readonly words: Readonly<Partial<Record<Item, string>>>;
};

/** The items that the reviewers found not met. */
export function unmetItems(last: LastSubmission | null): ReadonlySet<Item> {
  if (last?.status !== 'rejected') return new Set();
  return new Set(last.checklist.flatMap(({ item, verdict }) => (verdict?.met === false ? [item] : [])));
}

/**
 * What the form begins with: what was written last. After a rejection with verdicts, the items that were not found unmet stay confirmed, so that
 * the owner answers only what the reviewers asked for. What was confirmed in a draft belongs to its version of the profile.
 */
export function beginning({ draft, last, version }: { draft: Draft; last: LastSubmission | null; version: number }): FormValues {
  const unmet = unmetItems(last);
  const before = unmet.size > 0 ? (last?.checklist ?? []).flatMap(({ item }) => (unmet.has(item) ? [] : [item])) : [];
  const kept = draft?.profileVersion === version ? draft.confirmations.flatMap(({ item, confirmed }) => (confirmed ? [item] : [])) : before;
  const words = [...(last?.checklist ?? []), ...(draft?.confirmations ?? [])].map(({ item, word }) => [item, word ?? ''] as const);
  return { reviewUrl: draft?.reviewUrl || (last?.reviewUrl ?? ''), ticked: new Set(kept), words: Object.fromEntries(words) };
}

/** What is saved: each item of which anything is known. */
export function savedConfirmationsOf({ ticked, words }: FormValues) {
  const items = new Set([...ticked, ...(Object.keys(words) as Item[])]);
  return [...items].map((item) => ({ item, confirmed: ticked.has(item), word: words[item]?.trim() || null }));
}

/** What goes to the service: each item of the checklist with its confirmation and its note. */
export function confirmationsOf(checklist: readonly Pick<ChecklistItem, 'item'>[], { ticked, words }: FormValues) {
  return checklist.map(({ item }) => ({ item, confirmed: ticked.has(item), word: words[item]?.trim() || null }));
}

type CheckName = Production['integration']['submissionChecks'][number]['check'];
/** What mends a check that keeps an integration from being submitted. */
const mends: Readonly<Record<CheckName, string | null>> = {
  terms: 'accept the current terms',
  logo: 'upload a logo',
  website: 'make the website answer',
  reviewAddress: 'make the review address answer',
  linkingPage: 'make the linking page answer',
  privacyPolicy: 'make the privacy policy answer',
  termsOfService: 'make the terms of service answer',
  footerBadge: null,
  codeField: null,
  privacyPolicyLinked: null,
  termsOfServiceLinked: null,
  deletion: null,
  supportLinked: null,
  donationPage: null,
  evidence: null,
};

/** What is still to be done, in words; empty if everything is there. */
export function stillToDo({
  total,
  values,
  blocking,
}: {
  total: number;
  values: FormValues;
  blocking: readonly { check: CheckName; title: string }[];
}): string[] {
  const missing = total - values.ticked.size;
  return [
    ...blocking.map(({ check, title }) => mends[check] ?? title),
    ...(values.reviewUrl.trim() === '' ? ['give the review address'] : []),
    ...(missing > 0 ? [`confirm ${counted(missing, missing === total ? 'point' : 'more point')}`] : []),
  ];
}

import type { EvidenceKind } from '../evidence/evidenceKinds.ts';
import type { FieldError } from '../shared/DomainError.ts';
import { reviewLimits } from './reviewLimits.ts';
import { wordsRefusal } from './reviewWords.ts';
import { isOpen, type SubmissionStatus } from './submissionStatus.ts';

type ChecklistRow = {
  readonly title: string;
  /** What the owner declares when submitting. */
  readonly statement: string;
  /** What the reviewer looks at. */
  readonly lookFor: string;
  /** The links to follow for it. */
  readonly links: readonly ReviewedLink[];
  /** What the service itself has observed about it. */
  readonly evidence: readonly EvidenceKind[];
};

/** The links of a submission that a reviewer follows, named as the fields that hold them. */
export const reviewedLinks = [
  'reviewUrl',
  'orderLinkingUrl',
  'privacyPolicyUrl',
  'termsOfServiceUrl',
  'websiteUrl',
  'donationUrl',
] as const;
export type ReviewedLink = (typeof reviewedLinks)[number];

/**
 * What a review checks (docs/specification.md, “Checklist”). This is the only list of items. None is ever removed, but new ones may be
 * added.
 */
export const reviewChecklist = {
  attribution: {
    title: 'Attribution at the point of display',
    statement:
      'The credit and the app link that the portal supplies appear wherever data from the service is shown, readable and close to the data.',
    lookFor:
      'Open each view that shows data from the service: the credit and the link are present, legible, and next to the data, not only in a footer.',
    links: ['reviewUrl'],
    evidence: [],
  },
  mixedSources: {
    title: 'Mixed sources are marked',
    statement:
      'Where output mixes sources, every record, entry, series, value, map point or result that comes from the service is marked at its output point.',
    lookFor:
      'Pages, tables, lists, cards, charts, exports and notifications with more than one source: each value from the service carries its own mark.',
    links: ['reviewUrl'],
    evidence: [],
  },
  footerBadge: {
    title: 'Footer badge',
    statement:
      'The integration carries the footer badge that the portal supplies: the placeholder with the attribute data-svc-attribution and the deferred script, unchanged. It is shown in addition to the credit next to the data and does not replace it.',
    lookFor:
      'The source of the page has <span data-svc-attribution data-svc-theme="…"> and the script svc-data-credit-v1.js with defer and referrerpolicy="no-referrer", and the badge shows the credit.',
    links: ['reviewUrl', 'websiteUrl'],
    evidence: [],
  },
  linkingPage: {
    title: 'Linking page',
    statement:
      'The public linking page takes the ten-digit code as text and never asks for the user’s login, account ID, real order number or VIN.',
    lookFor:
      'Enter a code with leading zeroes. The page asks for nothing else about the user, and keeps a linked personal order separate from aggregate statistics.',
    links: ['orderLinkingUrl'],
    evidence: ['link_code_redeemed'],
  },
  privacy: {
    title: 'Privacy policy',
    statement:
      'The linking page links to the privacy policy, which names the purpose, the data from the service and how users have it deleted.',
    lookFor: 'The link leads to the policy in the profile, and the policy names this purpose and this data.',
    links: ['orderLinkingUrl', 'privacyPolicyUrl'],
    evidence: [],
  },
  terms: {
    title: 'Terms of service',
    statement: 'The linking page links to the integration’s own terms of service.',
    lookFor: 'The link leads to the terms in the profile, which can be read without an account.',
    links: ['orderLinkingUrl', 'termsOfServiceUrl'],
    evidence: [],
  },
  support: {
    title: 'Support contact',
    statement: 'The linking page links to a support contact that a person answers.',
    lookFor: 'The contact on the page matches the profile.',
    links: ['orderLinkingUrl'],
    evidence: [],
  },
  deletion: {
    title: 'Deletion',
    statement:
      'When a resource or a connection is revoked, all individual and derived copies are deleted and the deletion is acknowledged within seven days.',
    lookFor: 'Both kinds of revocation are handled. The evidence from the sandbox shows acknowledgements in time.',
    links: [],
    evidence: ['tombstone_acknowledged', 'link_code_redeemed'],
  },
  noMonetization: {
    title: 'No monetization without an agreement',
    statement: 'The integration earns nothing, directly or indirectly, unless a written agreement with the service allows it.',
    lookFor:
      'No advertising, ad-network revenue, sponsorships, affiliate revenue, subscriptions, paid access, lead generation, data licensing or resale. If there is any, an agreement covers it.',
    links: ['websiteUrl', 'donationUrl'],
    evidence: [],
  },
} as const satisfies Readonly<Record<string, ChecklistRow>>;

export type ReviewItem = keyof typeof reviewChecklist;
export const reviewItems = Object.keys(reviewChecklist) as readonly ReviewItem[];

/** The owner's explicit confirmation of one item, with an optional remark. */
export type Confirmation = { readonly item: string; readonly confirmed: boolean; readonly word?: string | null };

/** What is stored of a confirmation: only confirmed items are submitted. */
export type Statement = { readonly item: ReviewItem; readonly word: string | null };

/** The parts of a submission that decide which items it has. */
type Judged = {
  readonly status: SubmissionStatus;
  readonly statement: readonly Statement[];
  readonly verdicts: readonly { readonly item: ReviewItem }[];
};

/**
 * The items of one submission. While it is open, all current ones, because what operators promise is checked even if the owner submitted
 * before the item existed. Once it is decided, those that it was submitted with or judged by.
 */
export function itemsOf({ status, statement, verdicts }: Judged): readonly ReviewItem[] {
  if (isOpen({ status })) return reviewItems;
  return reviewItems.filter((item) => [...statement, ...verdicts].some((each) => each.item === item));
}

export function isReviewItem(text: string): text is ReviewItem {
  return Object.hasOwn(reviewChecklist, text);
}

const path = (item: string) => `input.confirmations.${item}`;

/** Every item that is not confirmed, unknown or named twice, each with the path of its field. */
export function confirmationErrors(confirmations: readonly Confirmation[]): FieldError[] {
  const missing = reviewItems
    .filter((item) => !confirmations.some((confirmation) => confirmation.item === item && confirmation.confirmed))
    .map((item) => ({ path: path(item), message: `Confirm the item “${reviewChecklist[item].title}”.` }));
  return [...missing, ...brokenConfirmations(confirmations)];
}

/** What is wrong with the confirmations that there are, as long as some may be missing. */
export function brokenConfirmations(confirmations: readonly Confirmation[]): FieldError[] {
  return confirmations.flatMap(({ item, word }, index) => {
    if (!isReviewItem(item)) return [{ path: `input.confirmations[${index}].item`, message: 'The checklist has no such item.' }];
    if (confirmations.findIndex((other) => other.item === item) < index) return [{ path: path(item), message: 'Confirm each item once.' }];
    const refusal = word?.trim() ? wordsRefusal(word, reviewLimits.confirmationWord) : null;
    return refusal === null ? [] : [{ path: path(item), message: `“${reviewChecklist[item].title}”: ${refusal}` }];
  });
}

/** What is stored of valid confirmations, in the order of the checklist. */
export function statementOf(confirmations: readonly Confirmation[]): Statement[] {
  return reviewItems.map((item) => ({ item, word: confirmations.find((known) => known.item === item)?.word?.trim() || null }));
}

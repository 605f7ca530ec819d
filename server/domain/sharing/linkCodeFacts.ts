import type { StatusWord } from '../shared/text/statusWord.ts';

type LinkCodeFacts = StatusWord & { readonly isRedeemable: boolean };

/** What each state of a link code means (docs/specification.md, “Link codes”). */
export const linkCodeFacts = {
  generated: { tone: 'waiting', word: 'Generated', isRedeemable: true },
  redeemed: { tone: 'good', word: 'Redeemed', isRedeemable: false },
  expired: { tone: 'stopped', word: 'Expired', isRedeemable: false },
  unusable: { tone: 'bad', word: 'Unusable', isRedeemable: false },
  cancelled: { tone: 'stopped', word: 'Cancelled', isRedeemable: false },
} as const satisfies Readonly<Record<string, LinkCodeFacts>>;

import type { StatusWord } from '../shared/text/statusWord.ts';

type LinkCodeFacts = StatusWord & {
  /** Why a code in this state is refused, in the word of everything that lists the reasons; null where it can be redeemed. */
  readonly refusedAs: string | null;
};

/** What each state of a link code means (docs/specification.md, “Link codes”). */
export const linkCodeFacts = {
  generated: { tone: 'waiting', word: 'Generated', refusedAs: null },
  redeemed: { tone: 'good', word: 'Redeemed', refusedAs: 'used' },
  expired: { tone: 'stopped', word: 'Expired', refusedAs: 'expired' },
  unusable: { tone: 'bad', word: 'Unusable', refusedAs: 'blocked' },
  cancelled: { tone: 'stopped', word: 'Cancelled', refusedAs: 'cancelled' },
} as const satisfies Readonly<Record<string, LinkCodeFacts>>;

/** Every reason why a link code cannot be redeemed (docs/specification.md, “Redemption”). No answer says which it was. */
export const linkCodeRefusals = [
  'unknown',
  ...Object.values(linkCodeFacts).flatMap(({ refusedAs }) => (refusedAs === null ? [] : [refusedAs])),
  'for another integration',
  'without anything left to share',
] as const;

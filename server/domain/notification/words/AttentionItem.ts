import type { AttentionKind, AttentionLevel, AttentionWords } from './attentionKinds.ts';

/** Something that needs somebody, with its deadline and its one act. It vanishes when it is done; nobody marks it as read. */
export type AttentionItem = AttentionWords & {
  /** The same as long as the situation is the same. */
  readonly id: string;
  readonly kind: AttentionKind;
  readonly level: AttentionLevel;
  /** Since when it is so, as far as that is known. */
  readonly since: Date | null;
  readonly deadline: Date | null;
  readonly integration: { readonly slug: string; readonly publicName: string } | null;
};

import type { Act, AttentionKind, AttentionLevel } from './attentionKinds.ts';

/** Something that needs somebody, with its deadline and its one act. It vanishes when it is done; nobody marks it as read. */
export type AttentionItem = {
  /** The same as long as the situation is the same. */
  readonly id: string;
  readonly kind: AttentionKind;
  readonly level: AttentionLevel;
  readonly title: string;
  /** What it is called where several integrations need it, if that is not the title. */
  readonly several?: string;
  readonly detail?: string | null;
  readonly text: string;
  /** Since when it is so, as far as that is known. */
  readonly since: Date | null;
  readonly deadline: Date | null;
  readonly act: Act;
  readonly integration: { readonly slug: string; readonly publicName: string } | null;
};

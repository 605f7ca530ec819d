import type { AttentionItem } from '../../notification/words/AttentionItem.ts';
import type { AttentionLevel } from '../../notification/words/attentionKinds.ts';
import { serviceWords, type ServiceDetails, type ServiceKind } from '../../notification/words/serviceWords.ts';

type When = {
  /** Tells it apart from others of its kind. */
  readonly name?: string;
  /** Since when the oldest is so. */
  readonly since?: Date | null;
  readonly deadline?: Date | null;
};

/** Something that the service needs of its administrators, in the words of its kind. */
export function serviceNeed<Kind extends ServiceKind>(
  kind: Kind,
  level: AttentionLevel,
  details: ServiceDetails[Kind],
  { name, since = null, deadline = null }: When = {},
): AttentionItem {
  const id = name === undefined ? kind : `${kind}:${name}`;
  return { id, kind, level, ...serviceWords[kind](details), since, deadline, integration: null };
}

import type { IntegrationFacts } from '../facts/IntegrationFacts.ts';
import type { AttentionItem } from '../../notification/words/AttentionItem.ts';
import type { AttentionLevel, OwnerAttentionKind } from '../../notification/words/attentionKinds.ts';
import { attentionWords, type AttentionDetails } from '../../notification/words/attentionWords.ts';

type When = { readonly since?: Date | null; readonly deadline?: Date | null };

/** Something that an integration needs of its owner, in the words of its kind. */
export function need<Kind extends OwnerAttentionKind>(
  { id, slug, publicName }: Pick<IntegrationFacts, 'id' | 'slug' | 'publicName'>,
  kind: Kind,
  level: AttentionLevel,
  details: AttentionDetails[Kind],
  { since = null, deadline = null }: When = {},
): AttentionItem {
  const words = attentionWords[kind](details);
  const { environment, objectId } = words.act;
  return {
    id: `${kind}:${id}${environment ? `:${environment}` : ''}${objectId ? `:${objectId}` : ''}`,
    kind,
    level,
    ...words,
    since,
    deadline,
    integration: { slug, publicName },
  };
}

import type { VariablesOf } from '../../graphql/graphql.ts';
import type { Integration } from '../integration/integrationQuery.ts';
import { emptyDraft, type DraftValues } from '../new-integration/draft.ts';
import { toInput } from '../new-integration/toInput.ts';
import type { ProfileChange, ProfileField, reviseProfileMutation } from './profileQueries.ts';

type Profile = Integration['profile'];
type Input = VariablesOf<typeof reviseProfileMutation>['input'];

/** A stored profile as the fields of a form show it. */
export function valuesOf({ donationUrl, ...profile }: Profile): DraftValues {
  const known = Object.fromEntries(Object.entries(profile).filter(([name]) => name in emptyDraft)) as Omit<
    Profile,
    'version' | 'donationUrl'
  >;
  return { ...emptyDraft, ...known, donationUrl: donationUrl ?? '', requestedScopes: [...profile.requestedScopes] };
}

/** The values of an own integration's copy: a slug is never used twice, and what was accepted is accepted anew. */
export function copyOf({ slug, profile }: Pick<Integration, 'slug' | 'profile'>): DraftValues {
  return { ...valuesOf(profile), slug: `${slug.slice(0, 38).replace(/-+$/, '')}-2` };
}

/** What is sent for an edited profile. */
export function toRevision(values: DraftValues, integrationId: string, version: number): Input {
  const { slug: _, termsVersion: __, attributionRulesAccepted: ___, nonCommercialUseAccepted: ____, ...profile } = toInput(values, 0);
  return { ...profile, integrationId, version };
}

/** What saving would change, before it is sent; the service computes the same of what it has stored. */
export function pendingChanges(fields: readonly ProfileField[], before: DraftValues, after: DraftValues): ProfileChange[] {
  return fields.flatMap(({ name, label, consentRelevant, minor, revisable }) => {
    if (!revisable) return [];
    const [from, to] = [textsOf(before, name), textsOf(after, name)];
    return from.join('\n') === to.join('\n') ? [] : [{ field: name, label, consentRelevant, minor, before: from, after: to }];
  });
}

/** What was typed since, put onto the values of a version that was stored meanwhile: the rest is as it is stored. */
export function rebased(changes: readonly Pick<ProfileChange, 'field'>[], typed: DraftValues, stored: DraftValues): DraftValues {
  const changed = new Set(changes.map(({ field }) => field));
  const kept = Object.fromEntries(Object.entries(typed).filter(([name]) => changed.has(name))) as Partial<DraftValues>;
  return { ...stored, ...kept };
}

function textsOf(values: DraftValues, field: string): string[] {
  const value = Object.entries(values).find(([name]) => name === field)?.[1];
  if (Array.isArray(value)) return [...value].sort();
  const text = String(value ?? '').trim();
  return text === '' ? [] : [text];
}

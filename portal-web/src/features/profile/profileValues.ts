import type { VariablesOf } from '../../graphql/graphql.ts';
import type { Integration } from '../integration/integrationQuery.ts';
import { emptyDraft, type DraftValues, sameShape } from '../new-integration/draft.ts';
import { toInput } from '../new-integration/toInput.ts';
import type { ProfileChange, ProfileField, reviseProfileMutation } from './profileQueries.ts';

type Profile = Integration['profile'];
type Input = VariablesOf<typeof reviseProfileMutation>['input'];

/** The values of a form for a stored profile. */
export function valuesOf(profile: Profile): DraftValues {
  // What is optional and not there is an empty field of the form.
  const known = Object.entries(profile).filter(([name, value]) => name in emptyDraft && value !== null);
  return { ...emptyDraft, ...Object.fromEntries(known), requestedScopes: [...profile.requestedScopes] };
}

/**
 * The values of a form for a copy of an integration. The slug is left empty because none is used twice, and the terms must be accepted
 * again.
 */
export function copyOf({ slug, profile }: Pick<Integration, 'slug' | 'profile'>): DraftValues {
  return { ...valuesOf(profile), slug: `${slug.slice(0, 38).replace(/-+$/, '')}-2` };
}

/** The input that is sent for an edited profile. */
export function toRevision(values: DraftValues, integrationId: string, version: number): Input {
  const { slug: _, termsVersion: __, attributionRulesAccepted: ___, nonCommercialUseAccepted: ____, ...profile } = toInput(values, 0);
  return { ...profile, integrationId, version };
}

/** What was typed, and the version with its values that the reader began with. */
export type ProfileDraft = { readonly begun: { readonly version: number; readonly values: DraftValues }; readonly typed: DraftValues };

/**
 * What was kept of a form, or null. A field that it lacks is one that the release which kept it did not know: as it is stored now (`present`), it
 * is neither changed nor cleared.
 */
export function parseDraft(kept: unknown, present: DraftValues): ProfileDraft | null {
  const { begun, typed } = (kept ?? {}) as Partial<ProfileDraft>;
  if (!begun || !typed) return null;
  return { begun: { version: begun.version, values: sameShape(begun.values, present) }, typed: sameShape(typed, present) };
}

/** What saving would change. The service computes the same from what it has stored. */
export function pendingChanges(fields: readonly ProfileField[], before: DraftValues, after: DraftValues): ProfileChange[] {
  return fields.flatMap(({ name, label, consentRelevant, minor, revisable }) => {
    if (!revisable) return [];
    const [from, to] = [textsOf(before, name), textsOf(after, name)];
    return from.join('\n') === to.join('\n') ? [] : [{ field: name, label, consentRelevant, minor, before: from, after: to }];
  });
}

/** The values of a version that was stored meanwhile, with the reader's own edits applied to it. */
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

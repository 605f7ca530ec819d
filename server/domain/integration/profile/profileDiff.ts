import { allProfileFields, profileFields, type ProfileField } from './profileFields.ts';
import type { ProfileVersion } from './ProfileVersion.ts';

/** What an operator decides in a profile version. */
export type ProfileContent = Pick<ProfileVersion, ProfileField>;

/** One field that differs between two profiles. A value is given as texts: one for each entry of a list, none when it is empty. */
export type ProfileChange = {
  readonly field: ProfileField;
  readonly label: string;
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly consentRelevant: boolean;
  readonly minor: boolean;
};

/** The fields in which two profiles differ, in the order of the page. */
export function profileDiff(before: ProfileContent, after: ProfileContent): ProfileChange[] {
  return allProfileFields.flatMap((field) => {
    const { label, consentRelevant, minor } = profileFields[field];
    const change = { field, label, consentRelevant, minor, before: valuesOf(before[field]), after: valuesOf(after[field]) };
    return change.before.join('\n') === change.after.join('\n') ? [] : [change];
  });
}

function valuesOf(value: ProfileContent[ProfileField] | undefined): readonly string[] {
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? [...value] : [String(value)];
}

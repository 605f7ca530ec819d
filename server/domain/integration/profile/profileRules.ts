import { emailRefusal, parseEmail } from '../../account/emailAddress.ts';
import type { FieldError } from '../../shared/DomainError.ts';
import { isCountry } from '../../shared/isCountry.ts';
import { flawOf, isBlank } from '../../shared/text/writtenText.ts';
import { profileFields } from './profileFields.ts';
import type { ProfileInput } from './ProfileInput.ts';
import { webhookModels } from './ProfileVersion.ts';
import { publicUrlRefusal } from './publicUrl.ts';
import { scopeListRefusal, scopesRefusal } from './scopeRules.ts';

type Rule = (input: ProfileInput) => string | null;

const paragraphs =
  (field: 'publicName' | 'publicDescription' | 'purpose' | 'legalOperatorName', label: string): Rule =>
  (input) => {
    const { longest: max } = profileFields[field].typed;
    const length = [...input[field].trim()].length;
    if (isBlank(input[field])) return `${label} is required.`;
    if (length > max) return `${label} has ${length} characters; at most ${max} are allowed.`;
    const flaw = flawOf(input[field], { lines: true });
    return flaw === null ? null : `${label} ${flaw}.`;
  };

/** A name must be a single line, because it appears in headings, tables and the subjects of mails. */
const name =
  (field: 'publicName' | 'legalOperatorName', label: string): Rule =>
  (input) =>
    paragraphs(field, label)(input) ??
    (/[\r\n\t\u2028\u2029]/.test(input[field].trim()) ? `${label} must be a single line without tabs.` : null);

const url =
  (field: 'websiteUrl' | 'privacyPolicyUrl' | 'termsOfServiceUrl' | 'orderLinkingUrl', label: string): Rule =>
  (input) =>
    input[field].trim() === '' ? `${label} is required.` : publicUrlRefusal(input[field].trim());

/** Each field of the profile with its rule. A rule returns what is wrong, in words, or null. */
const profileRules: Readonly<Record<keyof ProfileInput, Rule>> = {
  publicName: name('publicName', 'The public name'),
  publicDescription: paragraphs('publicDescription', 'The public description'),
  purpose: paragraphs('purpose', 'The purpose'),
  legalOperatorName: name('legalOperatorName', 'The legal operator name'),
  // Whether there is such a country is checked only when it is chosen, by `newCountryErrors`.
  country: ({ country }) => (/^[A-Z]{2}$/.test(country) ? null : countryWords),
  supportEmail: ({ supportEmail }) => (parseEmail(supportEmail) ? null : emailRefusal(supportEmail, 'help@example.com')),
  websiteUrl: url('websiteUrl', 'The website address'),
  privacyPolicyUrl: url('privacyPolicyUrl', 'The address of the privacy policy'),
  termsOfServiceUrl: url('termsOfServiceUrl', 'The address of the terms of service'),
  orderLinkingUrl: url('orderLinkingUrl', 'The address of the order-linking page'),
  donationUrl: ({ donationUrl }) => (donationUrl?.trim() ? publicUrlRefusal(donationUrl.trim()) : null),
  requestedScopes: ({ requestedScopes }) => scopeListRefusal(requestedScopes),
  pollingCadenceMinutes: ({ pollingCadenceMinutes: minutes }) =>
    Number.isInteger(minutes) && minutes >= 15 && minutes <= 1_440 ? null : 'Enter a whole number of minutes from 15 to 1,440.',
  webhookModel: ({ webhookModel }) =>
    (webhookModels as readonly string[]).includes(webhookModel) ? null : `The webhook model must be one of ${webhookModels.join(', ')}.`,
};

/** Every broken rule of the profile, each with the path of its field below `input`. */
export function profileErrors(input: ProfileInput): FieldError[] {
  return Object.entries(profileRules).flatMap(([field, rule]) => {
    const message = rule(input);
    return message === null ? [] : [{ path: `input.${field}`, message }];
  });
}

/** The same, with the rules for new choices as well: no scope that can never show anything, and no country that does not exist. */
export function newProfileErrors(input: ProfileInput): FieldError[] {
  const chosen = new Set([scopesPath, countryPath]);
  return [...profileErrors(input).filter(({ path }) => !chosen.has(path)), ...newCountryErrors(input), ...newScopesErrors(input)];
}

/** What is wrong with a country that is newly chosen. */
export function newCountryErrors({ country }: Pick<ProfileInput, 'country'>): FieldError[] {
  return isCountry(country) ? [] : [{ path: countryPath, message: countryWords }];
}

/** What is wrong with scopes that are newly asked for. */
export function newScopesErrors({ requestedScopes }: Pick<ProfileInput, 'requestedScopes'>): FieldError[] {
  const message = scopesRefusal(requestedScopes);
  return message === null ? [] : [{ path: scopesPath, message }];
}

const scopesPath = 'input.requestedScopes';
const countryPath = 'input.country';
const countryWords = 'Choose a country by its two-letter ISO 3166-1 code, such as DE.';

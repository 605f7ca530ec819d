import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { buildSchema, GraphQLInputObjectType, GraphQLObjectType, Kind, visit } from 'graphql';
import { profileFragment } from '../../portal-web/src/features/integration/profileFragment.ts';
import { emptyDraft, parts } from '../../portal-web/src/features/new-integration/draft.ts';
import { reviewedLinks } from '../../server/domain/review/reviewChecklist.ts';
import { addressesOf, type ProfilePages } from '../../server/domain/review/check/checkedPages.ts';
import { allProfileFields } from '../../server/domain/integration/profile/profileFields.ts';

const schema = buildSchema(readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'));
/** The logo is uploaded by itself, and read as an object. */
const typed = allProfileFields.filter((field) => field !== 'logoId');
const read = [...typed, 'logo'];

function fieldsOf(name: string): string[] {
  const type = schema.getType(name);
  if (type instanceof GraphQLObjectType || type instanceof GraphQLInputObjectType) return Object.keys(type.getFields());
  throw new Error(`${name} has no fields.`);
}

test('every field of a profile can be read, created and revised by GraphQL', () => {
  expect(fieldsOf('ProfileVersion')).toEqual(expect.arrayContaining(read));
  expect(fieldsOf('CreateIntegrationInput')).toEqual(expect.arrayContaining(typed));
  expect(fieldsOf('ReviseProfileInput')).toEqual(expect.arrayContaining(typed));
});

test('every field of a profile is read by the pages, and asked for in one part of the form', () => {
  const names: string[] = [];
  visit(profileFragment, { [Kind.FIELD]: ({ name }) => void names.push(name.value) });
  expect(names).toEqual(expect.arrayContaining(read));
  expect(Object.keys(emptyDraft)).toEqual(expect.arrayContaining(typed));
  const asked = parts.flatMap(({ fields }) => [...fields]);
  expect([...asked].sort()).toEqual(Object.keys(emptyDraft).sort());
});

test('the catalogue shows every field of a profile, but for the plans', () => {
  const plans = new Set<string>(['pollingCadenceMinutes', 'webhookModel']);
  const shownAs: Readonly<Record<string, string>> = { requestedScopes: 'scopes', logoId: 'logo' };
  const shown = allProfileFields.filter((field) => !plans.has(field)).map((field) => shownAs[field] ?? field);
  expect(fieldsOf('CatalogueEntry')).toEqual(expect.arrayContaining(shown));
});

test('every address of a profile is a link that reviewers follow, and a page that the service checks', () => {
  const addresses = allProfileFields.filter((field) => field.endsWith('Url'));
  expect(reviewedLinks).toEqual(expect.arrayContaining(addresses));
  const profile = Object.fromEntries(addresses.map((field) => [field, field])) as ProfilePages;
  expect(addressesOf(profile, null).map(({ url }) => url)).toEqual(expect.arrayContaining(addresses));
});

test('the form has an input for every field of a profile, and its panel shows it', () => {
  const source = (file: string) => readFileSync(new URL(`../../portal-web/src/${file}`, import.meta.url), 'utf8');
  const without = (text: string, written: (field: string) => string) => typed.filter((field) => !text.includes(written(field)));
  expect(without(source('pages/integration/new/Parts.tsx'), (field) => `'${field}'`)).toEqual([]);
  // The public name is the heading of the page.
  expect(without(source('features/integration/ProfilePanel.tsx'), (field) => `profile.${field}`)).toEqual(['publicName']);
});

import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { buildSchema, GraphQLInputObjectType, GraphQLObjectType, Kind, visit } from 'graphql';
import { profileFragment } from '../../portal-web/src/features/integration/profileFragment.ts';
import { draftErrors } from '../../portal-web/src/features/new-integration/draftRules.ts';
import { emptyDraft, parts } from '../../portal-web/src/features/new-integration/draft.ts';
import { reviewChecklist, reviewedLinks, type ReviewedLink } from '../../server/domain/review/reviewChecklist.ts';
import { addressesOf, type ProfilePages } from '../../server/domain/review/check/checkedPages.ts';
import { allProfileFields, profileFields, typedInto } from '../../server/domain/integration/profile/profileFields.ts';

const source = (file: string) => readFileSync(file, 'utf8');
const schema = buildSchema(source('schema.graphql'));
/** The logo is uploaded by itself, and read as an object. */
const typed = allProfileFields.filter((field) => field !== 'logoId');
const read = [...typed, 'logo'];
const plans = new Set<string>(['pollingCadenceMinutes', 'webhookModel']);
const inCatalogue = allProfileFields.filter((field) => !plans.has(field));
const addresses = allProfileFields.filter((field) => typedInto(field)?.as === 'url');

function fieldsOf(name: string): string[] {
  const type = schema.getType(name);
  if (type instanceof GraphQLObjectType || type instanceof GraphQLInputObjectType) return Object.keys(type.getFields());
  throw new Error(`${name} has no fields.`);
}

function fragmentFields(): string[] {
  const names: string[] = [];
  visit(profileFragment, { [Kind.FIELD]: ({ name }) => void names.push(name.value) });
  return names;
}

function checkedAddresses(): string[] {
  const profile = Object.fromEntries(addresses.map((field) => [field, field])) as ProfilePages;
  return addressesOf(profile, null).map(({ url }) => url);
}

const shownAs: Readonly<Record<string, string>> = { requestedScopes: 'scopes', logoId: 'logo' };
const asColumn = (field: string) => field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** What has the fields of a profile: where, which fields it has to have, and which it has. */
const places: readonly (readonly [where: string, wanted: readonly string[], has: (field: string) => boolean])[] = [
  ...(
    [
      ['ProfileVersion (server/portal-api/integration/integrationTypes.ts)', read, fieldsOf('ProfileVersion')],
      [
        'CreateIntegrationInput (ProfileFieldsInput in server/portal-api/integration/integrationTypes.ts)',
        typed,
        fieldsOf('CreateIntegrationInput'),
      ],
      [
        'ReviseProfileInput (ProfileFieldsInput in server/portal-api/integration/integrationTypes.ts)',
        typed,
        fieldsOf('ReviseProfileInput'),
      ],
      ['portal-web/src/features/integration/profileFragment.ts', read, fragmentFields()],
      ['emptyDraft (portal-web/src/features/new-integration/draft.ts)', typed, Object.keys(emptyDraft)],
      ['parts (portal-web/src/features/new-integration/draft.ts)', Object.keys(emptyDraft), parts.flatMap(({ fields }) => [...fields])],
      [
        'CatalogueEntry (server/portal-api/tooling/catalogueTypes.ts)',
        inCatalogue.map((field) => shownAs[field] ?? field),
        fieldsOf('CatalogueEntry'),
      ],
      ['reviewedLinks (server/domain/review/reviewChecklist.ts)', addresses, reviewedLinks],
      ['addressesOf (server/domain/review/check/checkedPages.ts)', addresses, checkedAddresses()],
    ] as const
  ).map(([where, wanted, fields]) => [where, wanted, (field: string) => (fields as readonly string[]).includes(field)] as const),
  [
    'the inputs of portal-web/src/pages/integration/new/Parts.tsx',
    typed,
    (field) => source('portal-web/src/pages/integration/new/Parts.tsx').includes(`'${field}'`),
  ],
  [
    'portal-web/src/features/integration/ProfilePanel.tsx',
    // The public name is the heading of the page.
    typed.filter((field) => field !== 'publicName'),
    (field) => source('portal-web/src/features/integration/ProfilePanel.tsx').includes(`profile.${field}`),
  ],
  [
    '“Owner and contacts” of portal-web/src/pages/admin/integration/AdminIntegrationPage.tsx',
    typed.filter((field) => typedInto(field)?.as === 'email'),
    (field) => source('portal-web/src/pages/admin/integration/AdminIntegrationPage.tsx').includes(`profile.${field}`),
  ],
  [
    'what minor revisions change in catalogueSql (server/domain/integration/profile/catalogue.ts)',
    inCatalogue.filter((field) => profileFields[field].minor),
    (field) => source('server/domain/integration/profile/catalogue.ts').includes(`m.${asColumn(field)}`),
  ],
];

test.each(places)('every field of a profile is in %s', (where, wanted, has) => {
  expect(wanted.filter((field) => !has(field)).map((field) => `${where} has no ${field}`)).toEqual([]);
});

test('the form takes of each field as much as the service does, and says so of more', () => {
  const complaints = allProfileFields.flatMap((field) => {
    const longest = typedInto(field)?.longest;
    if (longest === undefined) return [];
    const complaintOf = (length: number) =>
      Object.entries(draftErrors({ ...emptyDraft, [field]: 'x'.repeat(length) })).find(([name]) => name === field)?.[1] ?? '';
    const said = `The maximum is ${longest.toLocaleString('en')}.`;
    return complaintOf(longest + 1).endsWith(said) && !complaintOf(longest).endsWith(said) ? [] : [field];
  });
  expect(complaints).toEqual([]);
});

test('the form says of each address that it is none, before it is sent', () => {
  const takesAnything = allProfileFields.filter((field) => {
    const as = typedInto(field)?.as;
    const complaints: Readonly<Record<string, string>> = draftErrors({ ...emptyDraft, [field]: 'not an address' });
    return (as === 'email' || as === 'url') && complaints[field] === undefined;
  });
  expect(takesAnything).toEqual([]);
});

test('a reviewer follows each link for an item of the checklist', () => {
  const followed = new Set<ReviewedLink>(Object.values(reviewChecklist).flatMap(({ links }) => [...links]));
  const idle = reviewedLinks.filter((link) => !followed.has(link));
  expect(idle.map((link) => `${link}: no item of reviewChecklist has it among its links`)).toEqual([]);
});

test('each field of the form is asked for in one part', () => {
  const asked = parts.flatMap(({ fields }) => [...fields]);
  expect(asked.toSorted()).toEqual(Object.keys(emptyDraft).toSorted());
});

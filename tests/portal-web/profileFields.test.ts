import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import { buildSchema, GraphQLInputObjectType, GraphQLObjectType, Kind, visit } from 'graphql';
import { profileFragment } from '../../portal-web/src/features/integration/profileFragment.ts';
import { emptyDraft, steps } from '../../portal-web/src/features/new-integration/draft.ts';
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

test('every field of a profile is read by the pages, and asked for in one step of the form', () => {
  const names: string[] = [];
  visit(profileFragment, { [Kind.FIELD]: ({ name }) => void names.push(name.value) });
  expect(names).toEqual(expect.arrayContaining(read));
  expect(Object.keys(emptyDraft)).toEqual(expect.arrayContaining(typed));
  const asked = steps.flatMap(({ fields }) => [...fields]);
  expect([...asked].sort()).toEqual(Object.keys(emptyDraft).sort());
});

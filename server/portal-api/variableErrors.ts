import {
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  typeFromAST,
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import type { FieldError } from '../domain/shared/DomainError.ts';
import { limits } from '../domain/shared/limits.ts';
import { graphqlLimits } from './graphqlLimits.ts';
import { nameable } from '../domain/shared/nameable.ts';
import { isStorable, unstorable } from './storableText.ts';

/** Values by name, as JSON gives them. */
type Values = Readonly<Record<string, unknown>>;

/** Thrown to end the walk. It never leaves this file. */
const enough = new Error('enough errors');

/**
 * What is wrong with an operation's variables, by the place of each value: `input.resources[3].key`. Lists at most as many errors as a
 * refusal does. GraphQL's own coercion, which follows, would print the whole variable into each of its messages: a request of 100 kB would
 * produce gigabytes of text, which could contain a code or an address. Here no value is repeated.
 */
export function variableErrors(
  schema: GraphQLSchema,
  { variableDefinitions = [] }: OperationDefinitionNode,
  variables: Values,
): FieldError[] {
  const errors: FieldError[] = [];
  const refuse: Refuse = (path, message) => {
    errors.push({ path, message });
    if (errors.length >= limits.listedErrors) throw enough;
  };
  try {
    for (const { variable, type: typeNode, defaultValue } of variableDefinitions) {
      const type = typeFromAST(schema, typeNode);
      if (isInputType(type)) checkMember({ name: variable.name.value, type, defaultValue }, variables, variable.name.value, refuse);
    }
  } catch (thrown) {
    if (thrown !== enough) throw thrown;
  }
  return errors;
}

type Refuse = (path: string, message: string) => void;
type Member = { readonly name: string; readonly type: GraphQLInputType; readonly defaultValue?: unknown };

/** Checks a variable, or a field of an input. Without a value it has its default, or none. */
function checkMember({ name, type, defaultValue }: Member, values: Values, path: string, refuse: Refuse): void {
  if (Object.hasOwn(values, name)) check(type, values[name], path, refuse);
  else if (isNonNullType(type) && defaultValue === undefined) refuse(path, 'is required');
}

function check(type: GraphQLInputType, value: unknown, path: string, refuse: Refuse): void {
  if (isNonNullType(type)) return value === null ? refuse(path, 'is required') : check(type.ofType, value, path, refuse);
  if (value === null) return;
  if (isListType(type)) return checkList(type.ofType, value, path, refuse);
  if (isInputObjectType(type)) return checkObject(type, value, path, refuse);
  checkLeaf(type, value, path, refuse);
}

function checkList(type: GraphQLInputType, value: unknown, path: string, refuse: Refuse): void {
  // One item may stand for a list of one.
  if (!Array.isArray(value)) return check(type, value, path, refuse);
  if (value.length > graphqlLimits.listedItems)
    return refuse(path, `has ${value.length} items; at most ${graphqlLimits.listedItems} are accepted`);
  for (const [index, item] of value.entries()) check(type, item, `${path}[${index}]`, refuse);
}

function checkObject(type: GraphQLInputObjectType, value: unknown, path: string, refuse: Refuse): void {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse(path, 'has a value of the wrong type');
  const fields = type.getFields();
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(fields, name)) refuse(`${path}.${nameable(name)}`, 'is not an accepted field');
  }
  for (const field of Object.values(fields)) checkMember(field, value as Values, `${path}.${field.name}`, refuse);
}

function checkLeaf(type: GraphQLLeafType, value: unknown, path: string, refuse: Refuse): void {
  try {
    type.parseValue(value);
  } catch {
    return refuse(path, 'has a value of the wrong type');
  }
  if (!isClean(value)) checkText(value, path, refuse);
}

/** Whether `checkText` has nothing to refuse. It writes no paths, of which a large batch has hundreds of thousands. */
function isClean(value: unknown): boolean {
  if (typeof value === 'string') return isStorable(value);
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(isClean);
  return Object.entries(value).every(([key, part]) => key !== '__proto__' && isStorable(key) && isClean(part));
}

/** In a scalar that accepts any JSON, every text and every name is checked. */
function checkText(value: unknown, path: string, refuse: Refuse): void {
  if (typeof value === 'string' && !isStorable(value)) return refuse(path, unstorable);
  if (typeof value !== 'object' || value === null) return;
  for (const [key, part] of Object.entries(value)) {
    const place = Array.isArray(value) ? `${path}[${key}]` : `${path}.${nameable(key)}`;
    // A property with this name would change the prototype of any object that it is copied into.
    if (key === '__proto__') refuse(place, 'is not an accepted field');
    else if (isStorable(key)) checkText(part, place, refuse);
    else refuse(place, unstorable);
  }
}

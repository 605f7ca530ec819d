import {
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
} from 'graphql';
import type { HostileDocument } from './hostileDocuments.ts';

/** Texts of as many bytes that some way of reading, comparing or converting texts takes long for. */
export const hostileTexts: Readonly<Record<string, (bytes: number) => string>> = {
  letters: (bytes) => 'a'.repeat(bytes),
  blanks: (bytes) => `a${' '.repeat(bytes - 2)}a`,
  'different letters': (bytes) =>
    `a@${Array.from({ length: bytes / 3 }, (_, index) => String.fromCodePoint(0x4e00 + (index % 20_000))).join('')}`,
  'marks out of order': (bytes) => `a${'\u0315\u0316'.repeat(bytes / 4)}`,
  'an address of dots': (bytes) => `https://${'a.'.repeat(bytes / 2)}`,
  'a path of percents': (bytes) => `https://example.com/${'%2e%2e/'.repeat(bytes / 7)}`,
  // A line end takes two bytes in JSON.
  lines: (bytes) => `-----BEGIN ${'\n '.repeat(bytes / 3)}`,
  underscores: (bytes) => `int_${'_'.repeat(bytes)}-`,
};

/** Every operation of the schema that takes a text, with texts of this kind that together are as long as the body may be. */
export function hostileArguments(schema: GraphQLSchema, text: (bytes: number) => string, bytes: number): [name: string, HostileDocument][] {
  const roots = [
    ['query', schema.getQueryType()],
    ['mutation', schema.getMutationType()],
  ] as const;
  return roots.flatMap(([kind, root]) =>
    Object.values(root?.getFields() ?? {}).flatMap((field) => {
      const texts = field.args.reduce((sum, { type }) => sum + textsIn(type), 0);
      return texts === 0
        ? []
        : [[field.name, documentOf(kind, field, text(Math.floor((bytes * 0.8) / texts)))] as [string, HostileDocument]];
    }),
  );
}

function documentOf(kind: string, { name, args, type }: GraphQLField<unknown, unknown>, text: string): HostileDocument {
  const variables = args.map((argument) => `$${argument.name}: ${argument.type.toString()}`).join(', ');
  const handedOn = args.map((argument) => `${argument.name}: $${argument.name}`).join(', ');
  const selection = isLeafType(getNamedType(type)) ? '' : ' { __typename }';
  return {
    query: `${kind}(${variables}) { ${name}(${handedOn})${selection} }`,
    variables: Object.fromEntries(args.map((argument) => [argument.name, valueOf(argument.type, text)])),
  };
}

/** Inputs do not contain themselves deeper than this. */
const deepest = 4;

function textsIn(type: GraphQLInputType, depth = 0): number {
  const inner = getNullableType(type);
  if (isListType(inner)) return textsIn(inner.ofType, depth);
  if (isInputObjectType(inner))
    return depth === deepest ? 0 : Object.values(inner.getFields()).reduce((sum, field) => sum + textsIn(field.type, depth + 1), 0);
  return isText(inner) ? 1 : 0;
}

function isText(type: GraphQLInputType): boolean {
  return 'name' in type && (type.name === 'String' || type.name === 'ID' || type.name === 'JSON');
}

/** A value that fits the type, so that the operation itself is what reads the text. */
function valueOf(type: GraphQLInputType, text: string, depth = 0): unknown {
  const inner = isNonNullType(type) ? type.ofType : type;
  if (isListType(inner)) return [valueOf(inner.ofType, text, depth)];
  if (isEnumType(inner)) return inner.getValues()[0]?.name;
  if (isInputObjectType(inner))
    return depth === deepest
      ? null
      : Object.fromEntries(Object.values(inner.getFields()).map((field) => [field.name, valueOf(field.type, text, depth + 1)]));
  if ('name' in inner && inner.name === 'JSON') return { id: text };
  if (isText(inner)) return text;
  if ('name' in inner && inner.name === 'Boolean') return true;
  return 'name' in inner && inner.name === 'DateTimeISO' ? '2026-12-01T00:00:00.000Z' : 1;
}

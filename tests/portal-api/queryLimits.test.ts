import { describe, expect, test } from '@jest/globals';
import { buildSchema, parse, validate } from 'graphql';
import { depthLimitRule } from '../../server/portal-api/queryLimits.ts';

const schema = buildSchema('type Query { node: Node } type Node { name: String node: Node }');
const complaints = (document: string) => validate(schema, parse(document), [depthLimitRule]).map(({ message }) => message);
const nested = (depth: number): string => (depth === 1 ? 'name' : `node { ${nested(depth - 1)} }`);
const tooDeep = ['The document nests deeper than 9 fields.'];

describe('a document', () => {
  test('of nine nested fields is taken, of ten refused', () => {
    expect(complaints(`{ ${nested(9)} }`)).toEqual([]);
    expect(complaints(`{ ${nested(10)} }`)).toEqual(tooDeep);
  });

  test('cannot hide its depth in fragments', () => {
    const fragments = `fragment A on Node { ${nested(5)} } fragment B on Node { node { node { node { ...A } } } }`;
    expect(complaints(`{ node { ...B } } ${fragments}`)).toEqual([]);
    expect(complaints(`{ node { node { ...B } } } ${fragments}`)).toEqual(tooDeep);
    expect(complaints(`{ node { ... on Node { ${nested(9)} } } }`)).toEqual(tooDeep);
  });

  test('with a fragment inside itself, or an unknown one, does not hang', () => {
    expect(complaints('{ node { ...A } } fragment A on Node { node { ...A } }')).toEqual([]);
    expect(complaints('{ node { ...Missing } }')).toEqual([]);
  });

  test('that spreads fragments in fragments is measured as fast as it is read', () => {
    const levels = 60;
    const bomb = Array.from({ length: levels }, (_, level) => `fragment F${level} on Node { ...F${level + 1} ...F${level + 1} }`).join(' ');
    expect(complaints(`{ node { ...F0 } } ${bomb} fragment F${levels} on Node { ${nested(9)} }`)).toEqual(tooDeep);
  });

  test('is refused for its one operation that is too deep', () => {
    expect(complaints(`query A { node { name } } query B { ${nested(12)} }`)).toEqual(tooDeep);
  });
});

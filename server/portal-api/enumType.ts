import { GraphQLError, isEnumType, type GraphQLSchema } from 'graphql';
import { registerEnumType } from 'type-graphql';

/** A GraphQL enum whose values are the domain's own words. */
export function enumType<Value extends string>(name: string, values: readonly Value[], description?: string): { readonly [V in Value]: V } {
  const object = Object.fromEntries(values.map((value) => [value, value])) as { [V in Value]: V };
  registerEnumType(object, { name, description });
  return object;
}

/** An enum of what a column holds, which tells what only a later release knows as `unknown`. */
export function storedEnumType<Value extends string>(
  name: string,
  values: readonly Value[],
  description?: string,
): { readonly [V in Value | 'unknown']: V } {
  return enumType<Value | 'unknown'>(name, [...values, 'unknown'], description);
}

/**
 * Has each enum that has `unknown` tell it in place of every value that it does not have, so that one row does not fail a whole answer. Inputs
 * refuse it: nothing can be set to it, and it is not what is stored.
 */
export function tellUnknown(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isEnumType(type) || !type.getValue('unknown')) continue;
    const known = new Set(type.getValues().map(({ value }): unknown => value));
    const serialize = type.serialize.bind(type);
    type.serialize = (value) => serialize(typeof value === 'string' && !known.has(value) ? 'unknown' : value);
    const parseValue = type.parseValue.bind(type);
    type.parseValue = (value) => refuseUnknown(type.name, parseValue(value));
    const parseLiteral = type.parseLiteral.bind(type);
    type.parseLiteral = (node, variables) => refuseUnknown(type.name, parseLiteral(node, variables));
  }
}

function refuseUnknown(type: string, value: unknown): unknown {
  if (value === 'unknown')
    throw new GraphQLError(`“unknown” is what a value of ${type} is told as, so nothing can be asked or set with it.`);
  return value;
}

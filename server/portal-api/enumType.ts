import { isEnumType, type GraphQLSchema } from 'graphql';
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

/** Has each enum that has `unknown` tell it in place of every value that it does not have, so that one row does not fail a whole answer. */
export function tellUnknown(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isEnumType(type) || !type.getValue('unknown')) continue;
    const known = new Set(type.getValues().map(({ value }): unknown => value));
    const serialize = type.serialize.bind(type);
    type.serialize = (value) => serialize(typeof value === 'string' && !known.has(value) ? 'unknown' : value);
  }
}

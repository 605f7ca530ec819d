import { registerEnumType } from 'type-graphql';

/** A GraphQL enum whose values are the domain's own words. */
export function enumType<Value extends string>(name: string, values: readonly Value[], description?: string): { readonly [V in Value]: V } {
  const object = Object.fromEntries(values.map((value) => [value, value])) as { [V in Value]: V };
  registerEnumType(object, { name, description });
  return object;
}

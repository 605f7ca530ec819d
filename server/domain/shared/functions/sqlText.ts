/*
 * What the code's constants look like in the text of a function of the database's (`*.function.ts`). There, each of them is written as it is when
 * the schema is migrated.
 */

/** A word. Say with `satisfies` which words there are, so that the compiler finds one that is not there any more. */
export function word(text: string): string {
  return `'${text}'`;
}

/** An array of words. */
export function words(texts: readonly string[]): string {
  return `array[${texts.map(word).join(', ')}]`;
}

/** A span of time. */
export function interval(milliseconds: number): string {
  return `interval '${milliseconds / 1000} seconds'`;
}

/** A JSON object with all of these members, whose values are expressions. */
export function jsonObject<Member extends string>(members: Readonly<Record<Member, string>>): string {
  return `json_build_object(${Object.entries(members)
    .map(([name, value]) => `${word(name)}, ${String(value)}`)
    .join(', ')})`;
}

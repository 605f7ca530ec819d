import { BREAK, Kind, visit, type ASTNode, type DocumentNode } from 'graphql';
import { nameable } from '../domain/shared/nameable.ts';

/** How a refusal describes a text that PostgreSQL cannot hold. */
export const unstorable = 'This contains a character that cannot be stored.';

/** Whether PostgreSQL can hold the text, which must have no U+0000 and no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/**
 * Where the document's own texts contain something that cannot be stored, in GraphQL's notation (`input.resources[3].data.model`), or null.
 */
export function unstorableLiteral(document: DocumentNode): string | null {
  let found: string | null = null;
  visit(document, {
    StringValue({ value }, _key, parent, keys, ancestors) {
      if (isStorable(value) || !parent) return undefined;
      found = pathOf([...ancestors, parent], keys);
      return BREAK;
    },
  });
  return found;
}

/** The path from the argument or variable down. The keys lead from each ancestor to the next. */
function pathOf(ancestors: readonly (ASTNode | readonly ASTNode[])[], keys: readonly (string | number)[]): string {
  let path = '';
  for (const [index, ancestor] of ancestors.entries()) {
    if (!('kind' in ancestor)) continue;
    if (ancestor.kind === Kind.ARGUMENT) path = ancestor.name.value;
    if (ancestor.kind === Kind.VARIABLE_DEFINITION) path = ancestor.variable.name.value;
    if (ancestor.kind === Kind.OBJECT_FIELD) path = below(path, nameable(ancestor.name.value));
    if (ancestor.kind === Kind.LIST) path = `${path}[${keys[index + 1]}]`;
  }
  return path;
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

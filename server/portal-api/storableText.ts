import type { ApolloServerPlugin } from '@apollo/server';
import { BREAK, GraphQLError, Kind, visit, type ASTNode, type DocumentNode } from 'graphql';
import { DomainError } from '../domain/shared/DomainError.ts';
import { nameable } from '../domain/shared/nameable.ts';

/**
 * Refuses what PostgreSQL cannot hold, U+0000 and halves of surrogate pairs, in variables and in the document's own texts, before anything
 * asks the database. One place is named.
 */
export const storableTextPlugin: ApolloServerPlugin = {
  async requestDidStart() {
    return {
      async didResolveOperation({ request, document }) {
        const path = placeInVariables(request.variables ?? {}) ?? placeInDocument(document);
        if (path === null) return;
        const refusal = new DomainError('invalid_request', {
          fields: [{ path, message: 'This contains a character that cannot be stored.' }],
        });
        throw new GraphQLError(refusal.message, {
          originalError: refusal,
          extensions: { code: 'BAD_USER_INPUT', http: { status: 400 } },
        });
      },
    };
  },
};

function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** The place as GraphQL writes it: `input.resources[3].data.model`. Not recursive: JSON may nest deeper than the stack is high. */
function placeInVariables(variables: Readonly<Record<string, unknown>>): string | null {
  const waiting: { value: unknown; path: string }[] = [{ value: variables, path: '' }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    const { value, path } = next;
    if (typeof value === 'string' && !isStorable(value)) return path;
    if (typeof value !== 'object' || value === null) continue;
    for (const [key, part] of Object.entries(value)) {
      const place = Array.isArray(value) ? `${path}[${key}]` : below(path, nameable(key));
      if (!isStorable(key)) return place;
      waiting.push({ value: part, path: place });
    }
  }
  return null;
}

function placeInDocument(document: DocumentNode): string | null {
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

/** From the argument or the variable on; the keys lead from each ancestor to the next. */
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

import { createRequest, stringifyDocument } from '@urql/core';

/** The body of a request for a query. */
export type Question = {
  readonly query: string;
  readonly operationName?: string;
  readonly variables?: Readonly<Record<string, unknown>>;
};

/** Several queries as one, and how the fields of its answer are called in each of them, by their names in the answer. */
export type MergedQuestion = Required<Question> & { readonly fields: readonly ReadonlyMap<string, string>[] };

type Document = ReturnType<typeof createRequest>['query'];
/** As much of the syntax tree as is looked at here. */
type Node = {
  readonly kind: string;
  readonly operation?: string;
  readonly name?: { readonly value: string };
  readonly alias?: { readonly value: string };
  readonly variable?: Node;
  readonly variableDefinitions?: readonly Node[];
  readonly directives?: readonly Node[];
  readonly selectionSet?: Node & { readonly selections: readonly Node[] };
};
type Names = ReadonlyMap<string, string>;
type MergedDocument = {
  readonly query: string;
  readonly operationName: string;
  readonly fields: readonly Names[];
  readonly variables: readonly Names[];
};

const merged = new Map<string, MergedDocument | null>();

/**
 * One query that asks for what all of them ask for, or null if they cannot be merged. A field of the root and a variable keep their name unless an earlier
 * query has taken it. Fragments keep theirs and are sent once, so a fragment may not read a variable.
 */
export function mergeQueries(questions: readonly Question[]): MergedQuestion | null {
  const key = JSON.stringify(questions.map(({ query }) => query));
  if (!merged.has(key)) merged.set(key, mergeDocuments(questions.map(({ query }) => query)));
  const document = merged.get(key) ?? null;
  if (!document) return null;
  const variables = questions.flatMap((question, at) =>
    Object.entries(question.variables ?? {}).map(([name, value]) => [document.variables[at]?.get(name) ?? name, value] as const),
  );
  return {
    query: document.query,
    operationName: document.operationName,
    fields: document.fields,
    variables: Object.fromEntries(variables),
  };
}

/** Whether a request’s body is a query, which changes nothing. */
export function isQuery({ query }: Question): boolean {
  return operationOf(definitionsOf(query))?.operation === 'query';
}

function mergeDocuments(texts: readonly string[]): MergedDocument | null {
  const takenFields = new Set<string>();
  const takenVariables = new Set<string>();
  const fragments = new Map<string, Node>();
  const parts: { readonly operation: Node; readonly fields: Names; readonly variables: Names }[] = [];
  for (const text of texts) {
    const definitions = definitionsOf(text);
    const operation = operationOf(definitions);
    if (!operation || !isMergeable(operation) || !addFragments(fragments, definitions)) return null;
    const variables = new Map(
      (operation.variableDefinitions ?? []).map(({ variable }) => named(variable?.name?.value ?? '', takenVariables)),
    );
    const fields = new Map(selectionsOf(operation).map((field) => named(responseName(field), takenFields)));
    parts.push({ operation: withVariables(operation, variables), fields, variables });
  }
  const operationName = parts.map(({ operation }) => operation.name?.value ?? 'Query').join('_');
  const selections = parts.flatMap(({ operation, fields }) =>
    selectionsOf(operation).map((field) => ({ ...field, alias: { kind: 'Name', value: fields.get(responseName(field)) ?? '' } })),
  );
  const operation = {
    kind: 'OperationDefinition',
    operation: 'query',
    name: { kind: 'Name', value: operationName },
    variableDefinitions: parts.flatMap((part) => part.operation.variableDefinitions ?? []),
    directives: [],
    selectionSet: { kind: 'SelectionSet', selections },
  };
  const document = { kind: 'Document', definitions: [operation, ...fragments.values()] } as unknown as Document;
  return {
    query: stringifyDocument(document),
    operationName,
    fields: parts.map(({ fields }) => new Map([...fields].map(([own, inAnswer]) => [inAnswer, own]))),
    variables: parts.map(({ variables }) => variables),
  };
}

function definitionsOf(text: string): readonly Node[] {
  return createRequest(text, {}).query.definitions;
}

function operationOf(definitions: readonly Node[]): Node | undefined {
  return definitions.find(({ kind }) => kind === 'OperationDefinition');
}

function selectionsOf({ selectionSet }: Node): readonly Node[] {
  return selectionSet?.selections ?? [];
}

function responseName({ alias, name }: Node): string {
  return alias?.value ?? name?.value ?? '';
}

function isMergeable(operation: Node): boolean {
  return operation.operation === 'query' && !operation.directives?.length && selectionsOf(operation).every(({ kind }) => kind === 'Field');
}

/** Adds a document’s fragments. False if one of them reads a variable, or has the name of another. */
function addFragments(fragments: Map<string, Node>, definitions: readonly Node[]): boolean {
  for (const fragment of definitions.filter(({ kind }) => kind === 'FragmentDefinition')) {
    const name = fragment.name?.value ?? '';
    const text = JSON.stringify(fragment);
    const known = fragments.get(name);
    if (text.includes('"kind":"Variable"') || (known && JSON.stringify(known) !== text)) return false;
    fragments.set(name, fragment);
  }
  return true;
}

/** The name beside one that nobody has taken yet. */
function named(name: string, taken: Set<string>): [name: string, free: string] {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`;
  taken.add(free);
  return [name, free];
}

function withVariables<Part>(part: Part, names: Names): Part {
  if (Array.isArray(part)) return part.map((each: unknown) => withVariables(each, names)) as Part;
  if (typeof part !== 'object' || part === null) return part;
  const node = part as Part & Partial<Node>;
  if (node.kind === 'Variable') return { ...node, name: { ...node.name, value: names.get(node.name?.value ?? '') ?? node.name?.value } };
  return Object.fromEntries(Object.entries(node).map(([key, value]) => [key, withVariables(value as unknown, names)])) as Part;
}

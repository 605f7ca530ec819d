/** The contents of a GraphQL request's body. */
export type HostileDocument = { readonly query: string; readonly variables?: unknown };

const createIntegration = 'mutation ($i: CreateIntegrationInput!) { createIntegration(input: $i) { id } }';
const upsert = 'mutation ($i: UpsertTrackedResourcesInput!) { upsertTrackedResources(input: $i) { created } }';
const signIn = 'mutation ($i: FinishSignInInput!) { finishSignIn(input: $i) { kind } }';

const times = (n: number, part: (index: number) => string, between = ' '): string =>
  Array.from({ length: n }, (_, index) => part(index)).join(between);
const object = (n: number, entry: (index: number) => [string, unknown]) =>
  Object.fromEntries(Array.from({ length: n }, (_, index) => entry(index)));
const resource = (data: unknown) => ({ type: 'order', key: 'k', version: '1', user: 'u', historyComplete: true, data });

/**
 * Documents that somebody sends in order to make the service work hard. The size of each can be chosen, because what costs little for `n`
 * may cost much for `4 n`. The first three are known from real attacks.
 */
export const hostileDocuments: Readonly<Record<string, (n: number) => HostileDocument>> = {
  'unknown fields in a variable': (n) => ({ query: createIntegration, variables: { i: object(n, (index) => [`f${index}`, 1]) } }),
  'items of the wrong type': (n) => ({ query: createIntegration, variables: { i: { requestedScopes: Array(n).fill(1) } } }),
  'empty objects in a list': (n) => ({ query: upsert, variables: { i: { resources: Array.from({ length: n }, () => ({})) } } }),
  'unknown fields in the objects of a list': (n) => ({
    query: upsert,
    variables: { i: { resources: Array.from({ length: n }, () => ({ ...resource({}), a: 1, b: 2, c: 3 })) } },
  }),
  'fields that the allowlist has not': (n) => ({
    query: upsert,
    variables: { i: { resources: [resource(object(n, (index) => [`f${index}`, 1]))] } },
  }),
  'good items, many': (n) => ({ query: createIntegration, variables: { i: { requestedScopes: Array(n).fill('orders.read') } } }),
  'variables that nobody declared': (n) => ({ query: '{ __typename }', variables: object(n, (index) => [`v${index}`, { a: [index] }]) }),
  'lists in a list': (n) => ({
    query: createIntegration,
    variables: { i: { requestedScopes: Array.from({ length: n }, () => [[['x']]]) } },
  }),
  'wide JSON': (n) => ({ query: signIn, variables: { i: { response: object(n, (index) => [`k${index}`, { a: 'x' }]) } } }),
  'a long text': (n) => ({ query: signIn, variables: { i: { response: { id: 'x'.repeat(n) } } } }),
  'a long number': (n) => ({ query: `{ integrations(first: ${'9'.repeat(n)}) { totalCount } }` }),
  'a long name': (n) => ({ query: `{ ${'integration'.repeat(Math.ceil(n / 11))} }` }),
  'a long literal': (n) => ({ query: `{ integration(slug: "${'x'.repeat(n)}") { id } }` }),
  'a literal of escapes': (n) => ({ query: `{ integration(slug: "${'\\u0041'.repeat(n)}") { id } }` }),
  'a block of text': (n) => ({ query: `{ integration(slug: """${' \n'.repeat(n)}""") { id } }` }),
  comments: (n) => ({ query: `{ viewer { kind } } ${'#\n'.repeat(n)}` }),
  'mistakes behind many lines': (n) => ({ query: `${'\n'.repeat(n)}{ ${times(n, (index) => `x${index}`)} }` }),
  'one mistake in many places behind many lines': (n) => ({ query: `${'\n'.repeat(n)}query(${times(n, () => '$v:Int')}) { __typename }` }),
  aliases: (n) => ({ query: `{ ${times(n, (index) => `a${index}:__typename`)} }` }),
  'aliases of operations': (n) => ({ query: `mutation { ${times(n, (index) => `a${index}:beginSignIn`)} }` }),
  'one field again and again': (n) => ({ query: `{ ${times(n, () => 'viewer { kind }')} }` }),
  'unknown fields': (n) => ({ query: `{ ${times(n, (index) => `integratoin${index}`)} }` }),
  'unknown arguments': (n) => ({ query: `{ integration(${times(n, (index) => `slgu${index}:1`)}) { id } }` }),
  'one argument again and again': (n) => ({ query: `{ integration(${times(n, () => 'slug:1')}) { id } }` }),
  directives: (n) => ({ query: `{ viewer ${times(n, () => '@skip(if: true)')} { kind } }` }),
  'unknown directives': (n) => ({ query: `{ viewer ${times(n, (index) => `@d${index}`)} { kind } }` }),
  'inline fragments': (n) => ({ query: `{ ${times(n, () => '... { viewer { kind } }')} }` }),
  'inline fragments in each other': (n) => ({ query: `{ ${'... {'.repeat(n)} __typename ${'}'.repeat(n)} }` }),
  'fields in each other': (n) => ({ query: `{ ${'viewer {'.repeat(n)} kind ${'}'.repeat(n)} }` }),
  'lists in each other': (n) => ({ query: `{ integration(slug: ${'['.repeat(n)}${']'.repeat(n)}) { id } }` }),
  'objects in each other': (n) => ({ query: `mutation { createIntegration(input: ${'{a:'.repeat(n)}1${'}'.repeat(n)}) { id } }` }),
  'a long list of literals': (n) => ({
    query: `mutation { createIntegration(input: { requestedScopes: [${times(n, () => '1')}] }) { id } }`,
  }),
  'unknown fields in a literal': (n) => ({
    query: `mutation { createIntegration(input: { ${times(n, (index) => `publicNmae${index}:1`)} }) { id } }`,
  }),
  'JSON as a literal': (n) => ({ query: `mutation { finishSignIn(input: { response: [${times(n, () => '{ a: [1] }')}] }) { kind } }` }),
  'a chain of fragments': (n) => ({
    query: `{ ...F0 } ${times(n, (index) => `fragment F${index} on Query { ...F${index + 1} }`)} fragment F${n} on Query { __typename }`,
  }),
  'fragments that double': (n) => ({
    query: `{ ...F0 } ${times(n, (index) => `fragment F${index} on Query { ...F${index + 1} ...F${index + 1} }`)} fragment F${n} on Query { viewer { kind } }`,
  }),
  'a circle of fragments': (n) => ({
    query: `{ ...F0 } ${times(n, (index) => `fragment F${index} on Query { ...F${(index + 1) % n} ...F${(index * 7) % n} }`)}`,
  }),
  'fields beside fragments': (n) => ({
    query: `{ ${times(n, (index) => `viewer { kind } ...F${index}`)} } ${times(n, (index) => `fragment F${index} on Query { viewer { kind } }`)}`,
  }),
  operations: (n) => ({ query: times(n, (index) => `query Q${index} { __typename }`) }),
  'operations that share fragments': (n) => ({
    query: `${times(n, (index) => `query Q${index} { ...F0 }`)} ${times(n, (index) => `fragment F${index} on Query { ...F${index + 1} }`)} fragment F${n} on Query { __typename }`,
  }),
  'variables in the document': (n) => ({ query: `query(${times(n, (index) => `$v${index}:Int`)}) { __typename }` }),
};

/** JSON values that cost much to parse for their size. */
export const hostileJson: Readonly<Record<string, (bytes: number) => string>> = {
  'lists in lists': (bytes) => `${'['.repeat(bytes / 2)}${']'.repeat(bytes / 2)}`,
  'lists in lists, never closed': (bytes) => '['.repeat(bytes),
  'objects in objects': (bytes) => `${'{"a":'.repeat(bytes / 6)}1${'}'.repeat(bytes / 6)}`,
  'empty lists': (bytes) => `[${'[],'.repeat(bytes / 3)}[]]`,
  'empty objects': (bytes) => `[${'{},'.repeat(bytes / 3)}{}]`,
  'small numbers': (bytes) => `[${'1,'.repeat(bytes / 2)}1]`,
  'one number': (bytes) => '9'.repeat(bytes),
  'one text': (bytes) => `"${'x'.repeat(bytes)}"`,
  'one text of escapes': (bytes) => `"${'\\u0041'.repeat(bytes / 6)}"`,
  'names that differ': (bytes) => `[${times(bytes / 22, (index) => `{"key${index}x${index}":1}`, ',')}]`,
  'one object of many names': (bytes) => `{${times(bytes / 16, (index) => `"k${index}":1`, ',')}}`,
  'lists of the greatest depth': (bytes) => `[${`${'['.repeat(50)}${']'.repeat(50)},`.repeat(bytes / 101)}1]`,
};

import {
  createRequest,
  makeOperation,
  mapExchange,
  type AnyVariables,
  type Client,
  type Exchange,
  type Operation,
  type OperationContext,
  type OperationResult,
  type TypedDocumentNode,
} from '@urql/core';

type Fetch = typeof fetch;

/** How long what a page's loader has asked counts as what the page itself reads, in milliseconds from the question. */
export const askedHolds = 5_000;

/** What one of a page's parts will read, answered from what the page as a whole has read. */
type Share<Data> = (begin: Begin, answered: Promise<OperationResult<Data>>) => void;

type Begin = <Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  context?: Partial<OperationContext>,
) => Promise<OperationResult<Data>>;

/** The part of a page that reads `query` gets this of the page's answer. Its context is urql's, where the part has one that tells the cache something. */
export function share<Data, Part, Variables extends AnyVariables>(
  query: TypedDocumentNode<Part, Variables>,
  variables: Variables,
  part: (data: Data) => Part,
  context: Partial<OperationContext> = {},
): Share<Data> {
  return (begin, answered) => {
    // What has failed as a whole may well be answered by itself, and the part then shows its own error.
    const from =
      (send: Fetch): Fetch =>
      async (...request) => {
        const { data, error } = await answered;
        return data && !error ? Response.json({ data: part(data) }) : send(...request);
      };
    void begin(query, variables, { ...context, from });
  };
}

/**
 * Asks for what a page reads. What was asked while the pointer rested on its link serves the page that is opened then, and no later one. The page's
 * parts are answered from it.
 */
export type Ask = <Data, Variables extends AnyVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  ...shares: readonly Share<Data>[]
) => void;

const asked = { requestPolicy: 'cache-and-network', isAsked: true } satisfies Partial<OperationContext>;

type Questions = {
  /** To stand before the cache. */
  readonly beforeCache: Exchange;
  /** To stand behind the cache. */
  readonly behindCache: Exchange;
  /** `ahead`: before the page is opened. */
  readonly askWith: (client: Client, ahead: boolean) => Ask;
};

/**
 * A page that reads again whatever is remembered is content with an answer that its loader asked for moments before, be it with the click or
 * while the pointer rested on the link, unless that could not be answered, or the reader has changed something since it was asked for.
 */
export function createQuestions(now = () => performance.now()): Questions {
  const askedAt = new Map<number, number>();
  /** What was asked for a page that has been opened since. */
  const taken = new Set<number>();
  const wasAsked = ({ key }: Pick<Operation, 'key'>) => now() - (askedAt.get(key) ?? -Infinity) < askedHolds;
  return {
    beforeCache: mapExchange({
      onOperation(operation) {
        const { kind, context } = operation;
        if (kind === 'mutation') askedAt.clear();
        if (context.requestPolicy !== 'cache-and-network' || context['isAsked'] || !wasAsked(operation)) return operation;
        return makeOperation(kind, operation, { ...context, requestPolicy: 'cache-first' });
      },
    }),
    behindCache: mapExchange({
      onOperation(operation) {
        const { kind, context } = operation;
        const from = context['from'] as ((send: Fetch) => Fetch) | undefined;
        if (!from) return operation;
        return makeOperation(kind, operation, { ...context, fetch: from(context.fetch ?? fetch), itself: context.fetch });
      },
      onResult(result) {
        const { operation, error } = result;
        const { kind, key, context } = operation;
        if (kind === 'mutation') askedAt.clear();
        // Nothing of a failure is remembered, so the page would show an older answer.
        if (error) askedAt.delete(key);
        if (!context['isAsked']) return result;
        // The cache remembers the operation with its answer, and asks it again by itself when something changes.
        const usual = { isAsked: undefined, from: undefined, itself: undefined };
        const itself = context['from'] ? { fetch: context['itself'] as Fetch } : {};
        return { ...result, operation: makeOperation(kind, operation, { ...usual, ...itself }) };
      },
    }),
    askWith: (client, ahead) => {
      const begin: Begin = (query, variables, context) => {
        const operation = client.createRequestOperation('query', createRequest(query, variables), { ...context, ...asked });
        askedAt.set(operation.key, now());
        taken.delete(operation.key);
        return client.executeRequestOperation(operation).toPromise();
      };
      return (query, variables, ...shares) => {
        const { key } = createRequest(query, variables);
        if (!wasAsked({ key }) || taken.has(key)) {
          const answered = begin(query, variables);
          for (const give of shares) give(begin, answered);
        }
        if (!ahead) taken.add(key);
      };
    },
  };
}

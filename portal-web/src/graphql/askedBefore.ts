import { makeOperation, mapExchange, type Exchange, type Operation, type OperationContext } from '@urql/core';

/** How long what was asked before a page was opened counts as what the page itself reads, in milliseconds from the question. */
export const askedBeforeHolds = 5_000;

/** The context of a question whose answer a page is about to need. */
export const beforePage = { requestPolicy: 'cache-and-network', isBeforePage: true } satisfies Partial<OperationContext>;

type AskedBefore = {
  /** To stand before the cache. */
  readonly beforeCache: Exchange;
  /** To stand behind the cache. */
  readonly behindCache: Exchange;
  /** Whether this was asked moments before its page was opened. The next call says no, because it is about the next page. */
  readonly takeAsked: (operation: Operation) => boolean;
};

/**
 * A page that reads anew whatever is remembered is content with an answer that was asked for moments before it was opened, unless that could not be
 * answered, or the reader has changed something since it was asked for.
 */
export function createAskedBefore(now = () => performance.now()): AskedBefore {
  const askedAt = new Map<number, number>();
  const wasAsked = ({ key }: Operation) => now() - (askedAt.get(key) ?? -Infinity) < askedBeforeHolds;
  return {
    takeAsked: (operation) => wasAsked(operation) && askedAt.delete(operation.key),
    beforeCache: mapExchange({
      onOperation(operation) {
        const { kind, context } = operation;
        if (kind === 'mutation') askedAt.clear();
        if (context.requestPolicy !== 'cache-and-network' || !wasAsked(operation)) return operation;
        return makeOperation(kind, operation, { ...context, requestPolicy: 'cache-first' });
      },
    }),
    behindCache: mapExchange({
      onOperation(operation) {
        const { kind, key, context } = operation;
        if (!context['isBeforePage']) return operation;
        askedAt.set(key, now());
        // The cache remembers the operation with its answer, and asks it again when something changes.
        return makeOperation(kind, operation, { ...context, isBeforePage: undefined });
      },
      onResult({ operation: { kind, key }, error }) {
        if (kind === 'mutation') askedAt.clear();
        // Nothing of a failure is remembered, so the page would show an older answer.
        if (error) askedAt.delete(key);
      },
    }),
  };
}
